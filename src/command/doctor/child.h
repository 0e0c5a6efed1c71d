// Runs another program and reads its whole output.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace torchada::doctor {

struct Output {
  bool ended = false;  // It ended by itself, in time. `status` is then its exit status.
  int status = 0;
  std::string out, err;
};

// words[0] is a path. `changes` modify the environment; a missing value unsets the variable.
// Standard input is empty.
Output output_of(const std::vector<std::string>& words,
                 const std::map<std::string, std::optional<std::string>>& changes, int timeout);

}  // namespace torchada::doctor
