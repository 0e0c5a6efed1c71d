#include "src/host/musa/process_start.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace musa {

std::uint64_t start_of(pid_t pid) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", static_cast<int>(pid));
  const int descriptor = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  std::array<char, 1024> text{};
  const ssize_t size = read(descriptor, text.data(), text.size() - 1);
  close(descriptor);
  // The name in parentheses may contain anything. The state is the next field; the start time is
  // the twentieth field counted from the state.
  const char* after_name = size > 0 ? std::strrchr(text.data(), ')') : nullptr;
  char state = '?';
  unsigned long long started = 0;
  if (after_name == nullptr ||
      std::sscanf(
          after_name + 1,
          " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
          &state, &started) != 2) {
    return 0;
  }
  // Z and X: the process has ended and only waits for its parent.
  return state == 'Z' || state == 'X' ? 0 : started;
}

}  // namespace musa
