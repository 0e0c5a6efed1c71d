// File names that may contain the process and the host.
#pragma once

#include <string>
#include <string_view>

namespace torchada {

// `pattern` with %p replaced by this process's number, %h by the host's name, %% by a percent sign.
std::string expanded(std::string_view pattern);

// Whether `pattern` has a %p, and so names a file for each process.
bool names_process(std::string_view pattern);

}  // namespace torchada
