// The files below the paths that a user gives.
#pragma once

#include <string>
#include <vector>

namespace torchada::check {

struct Input {
  std::string path;
  bool named = false;  // By the user, not found in a folder.
};

// Each file once, whatever links lead to it, and each folder once, so that loops end. By name.
// `unreadable` gets folders that cannot be listed.
std::vector<Input> collect_inputs(const std::vector<std::string>& paths,
                                  std::vector<Input>& unreadable);

}  // namespace torchada::check
