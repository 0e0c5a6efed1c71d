// Makes an image of sources.
#pragma once

#include <string>

#include "src/host/kernels/translate/request.h"

namespace kernels {

// `folder`: for temporary files. Says on stderr what is wrong. Returns the exit status: 0, 1, or 4
// if a source has not the kernel or the variable that is wanted.
int build_image(const Request& request, const std::string& folder);

// Judges an image that was linked by hand, and writes size and checksum into it.
bool seal_image_file(const std::string& path);

}  // namespace kernels
