// What may be wrong in a source, and is no error.
#pragma once

#include <string>
#include <vector>

#include "src/host/kernels/translate/device_module.h"
#include "src/host/kernels/translate/request.h"

namespace kernels {

// `files`: those that were read, without the system's. A toolkit's are left out.
std::vector<Message> find_warnings(const Request& request, const std::vector<std::string>& files,
                                   const DeviceModule& code);

}  // namespace kernels
