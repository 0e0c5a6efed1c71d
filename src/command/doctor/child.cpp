#include "src/command/doctor/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace torchada::doctor {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int ends[2] = {-1, -1};
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  void close_end(int which) {
    close(ends[which]);
    ends[which] = -1;
  }
};

[[noreturn]] void become(const std::vector<std::string>& words,
                         const std::map<std::string, std::optional<std::string>>& changes, int out,
                         int err) {
  const int none = open("/dev/null", O_RDONLY);
  dup2(none, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : changes) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Returns false when the time is up.
bool read_both(Pipe* out, Pipe* err, int timeout, Output* into) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(timeout);
  pollfd wanted[2] = {{out->ends[0], POLLIN, 0}, {err->ends[0], POLLIN, 0}};
  std::string* texts[2] = {&into->out, &into->err};
  while (wanted[0].fd >= 0 || wanted[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    const int ready = poll(wanted, 2, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    for (int i = 0; i < 2; ++i) {
      if (wanted[i].fd < 0 || wanted[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(wanted[i].fd, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        wanted[i].fd = -1;
      } else {
        texts[i]->append(buffer, static_cast<std::size_t>(got));
      }
    }
  }
  return true;
}

}  // namespace

Output output_of(const std::vector<std::string>& words,
                 const std::map<std::string, std::optional<std::string>>& changes, int timeout) {
  Output result;
  Pipe out;
  Pipe err;
  if (!out.open() || !err.open()) return result;
  const pid_t child = fork();
  if (child < 0) return result;
  if (child == 0) become(words, changes, out.ends[1], err.ends[1]);
  out.close_end(1);
  err.close_end(1);
  const bool in_time = read_both(&out, &err, timeout, &result);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.ended = in_time && WIFEXITED(status);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return result;
}

}  // namespace torchada::doctor
