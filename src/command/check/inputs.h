// The files below the paths that a user gives.
#pragma once

#include <string>
#include <vector>

namespace torchada::check {

struct Input {
  std::string path;
  bool named = false;  // Named by the user, not found in a directory.
};

// Each file and each directory once, however many links lead to it, so that loops end. Sorted by
// name. `unreadable` receives directories that cannot be listed.
std::vector<Input> collect_inputs(const std::vector<std::string>& paths,
                                  std::vector<Input>& unreadable);

}  // namespace torchada::check
