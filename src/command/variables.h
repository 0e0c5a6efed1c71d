// The environment variables that users set for the libraries.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct OwnVariable {
  std::string name;     // With a value where one form of it says most: "TORCHADA_STRICT=1".
  std::string meaning;  // A sentence without a full stop.

  std::string bare_name() const { return name.substr(0, name.find('=')); }
};

// In the order in which they are listed. The manual page and `doctor` take them from here; a test
// holds README.md and the sources to them.
const std::vector<OwnVariable>& own_variables();

}  // namespace torchada
