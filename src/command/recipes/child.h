// Starts programs and waits for them, in a process with threads.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace torchada::recipes {

struct ChildEnd {
  int status = -1;       // as of waitpid(); -1: it could not be started
  std::string messages;  // what it wrote to stdout and stderr
};

// `child`: gets its number while it runs.
ChildEnd run_child(const std::vector<std::string>& words, std::atomic<int>* child);

// The same, with the streams of this process. Runs in the folder. Returns the status as of
// waitpid(), or -1.
int run_shown(const std::vector<std::string>& words, const std::string& folder);

// Whether the program is found, as a shell would.
bool is_program(const std::string& name);

}  // namespace torchada::recipes
