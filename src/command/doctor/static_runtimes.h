// NVIDIA's static CUDA runtime in files of the subject.
#pragma once

#include <string>

#include "src/command/doctor/subject.h"

namespace torchada::doctor {

// False for a file that cannot be read.
bool contains_static_runtime(const Subject& subject, const std::string& path);

// All of NVIDIA's libraries contain the static runtime. That is no finding.
bool is_nvidia_name(const Subject& subject, const std::string& path);

}  // namespace torchada::doctor
