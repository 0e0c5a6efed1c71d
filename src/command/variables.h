// The environment variables that users set for the libraries.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct OwnVariable {
  std::string name;     // With a value if one value is typical: "TORCHADA_STRICT=1".
  std::string meaning;  // A sentence without a full stop.

  std::string bare_name() const { return name.substr(0, name.find('=')); }
};

// In the order in which they are listed. The manual page and `doctor` use this list; a test
// compares it with README.md and the sources.
const std::vector<OwnVariable>& own_variables();

}  // namespace torchada
