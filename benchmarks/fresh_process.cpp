#include "benchmarks/fresh_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace bench {

std::vector<double> numbers_from(const std::vector<std::string>& command, std::size_t count) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  const bool started =
      posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  // A few numbers arrive in one piece, which a pipe guarantees below PIPE_BUF.
  std::vector<double> numbers(count);
  const auto size = static_cast<ssize_t>(count * sizeof(double));
  const bool complete = started && read(ends[0], numbers.data(), count * sizeof(double)) == size;
  close(ends[0]);
  int status = -1;
  if (started) waitpid(child, &status, 0);
  if (!complete || status != 0) throw std::runtime_error("failed: " + command[0]);
  return numbers;
}

}  // namespace bench
