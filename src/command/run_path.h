// DT_RPATH and DT_RUNPATH.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// The directories in `path`, a DT_RPATH or DT_RUNPATH of `file`, with $ORIGIN replaced.
std::vector<std::string> run_path(const std::string& file, const std::string& path);

}  // namespace torchada
