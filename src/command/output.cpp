#include "src/command/output.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "src/command/command.h"

namespace torchada {

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // With the wrong access mode, so that using the stream still fails.
    const int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    const int got = open("/dev/null", mode | O_CLOEXEC);
    if (got >= 0 && got != stream) close(got);
  }
}

int write_output(std::string_view text, int status) {
  // Not earlier, because a program that we start needs the original signal handling.
  std::signal(SIGPIPE, SIG_IGN);
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      spdlog::error("cannot write to standard output: {}", std::strerror(errno));
      return kExitFailed;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return status;
}

bool use_colour() {
  const char* off = std::getenv("NO_COLOR");
  if (off != nullptr && *off != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

std::string coloured(const std::string& text, Colour colour) {
  static const bool use = use_colour();
  constexpr const char* kCodes[] = {"", "1", "32", "33", "31", "2"};
  if (!use || colour == Colour::kPlain) return text;
  return std::string("\033[") + kCodes[static_cast<int>(colour)] + "m" + text + "\033[0m";
}

}  // namespace torchada
