#include "src/companion/write_all.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "src/shared/without_pipe_signal.h"

namespace torchada {
namespace {

constexpr int kPatience = 1000;  // Milliseconds.

bool wait_for_reader(int descriptor) {
  pollfd wanted = {descriptor, POLLOUT, 0};
  int ready = 0;
  while ((ready = poll(&wanted, 1, kPatience)) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

}  // namespace

bool write_all(int descriptor, std::string_view text) {
  const WithoutPipeSignal quiet;
  return write_all_to_file(descriptor, text);
}

bool write_all_to_file(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      if (!wait_for_reader(descriptor)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace torchada
