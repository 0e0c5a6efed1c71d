// Takes out of a text what its sender may not want to show.
#pragma once

#include <string>

namespace torchada::support {

enum class Origin {
  kAdvice,  // By the command: NAME=VALUE is advice unless the variable is set.
  kRecord,  // From a program's log or trace: NAME=VALUE is what it had.
};

// `text` without names of hosts and users, paths outside the installation, values of environment
// variables, addresses, unique identifiers and long quoted texts (sources of kernels). Of a path to
// a file its name stays. `installation` becomes "INSTALLED".
std::string without_private(const std::string& text, const std::string& installation,
                            Origin origin);

}  // namespace torchada::support
