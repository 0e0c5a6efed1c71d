// Environment variables: their values, and those that users set for the libraries.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// The value of `name` in the environment of this process. Empty if it is unset.
std::string environment_variable(const char* name);

struct OwnVariable {
  std::string name;     // With a value if one value is typical: "TORCHADA_STRICT=1".
  std::string meaning;  // A sentence without a full stop.

  std::string bare_name() const { return name.substr(0, name.find('=')); }
};

// In the order in which they are listed. The manual page and `doctor` use this list; a test
// compares it with README.md and the sources.
const std::vector<OwnVariable>& own_variables();

}  // namespace torchada
