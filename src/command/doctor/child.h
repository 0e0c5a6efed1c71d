// Another program's output, read to its end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace torchada::doctor {

struct Output {
  bool ended = false;  // By itself, in time; `status` is its exit status then.
  int status = 0;
  std::string out, err;
};

// words[0] is a path. `changes` go over the environment; no value unsets. Standard input is empty.
Output output_of(const std::vector<std::string>& words,
                 const std::map<std::string, std::optional<std::string>>& changes, int timeout);

}  // namespace torchada::doctor
