// Names of files with the process in them.
#pragma once

#include <string>
#include <string_view>

namespace torchada {

// `pattern` with %p as the number of this process, %h as the host's name, %% as a percent sign.
std::string expanded(std::string_view pattern);

// Whether `pattern` has a %p: a file for each process.
bool names_process(std::string_view pattern);

}  // namespace torchada
