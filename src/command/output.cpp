#include "src/command/output.h"

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "src/command/command.h"
#include "src/command/messages.h"
#include "src/shared/printable_string.h"

namespace torchada {
namespace {

// The text of a message, which may quote names from files.
class EscapedText : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<EscapedText>();
  }
};

}  // namespace

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
      log_error("cannot write to standard output: {}", std::strerror(errno));
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
  const std::string safe = printable(text);
  if (!use || colour == Colour::kPlain) return safe;
  return std::string("\033[") + kCodes[static_cast<int>(colour)] + "m" + safe + "\033[0m";
}

std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void set_up_messages() {
  spdlog::set_default_logger(spdlog::stderr_color_st("torchada"));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<EscapedText>('*').set_pattern("%n: %*");
  spdlog::set_formatter(std::move(formatter));
}

void write_message(Severity severity, fmt::string_view text, fmt::format_args arguments) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::info, spdlog::level::warn,
                                                   spdlog::level::err};
  spdlog::log(kLevels[static_cast<int>(severity)], fmt::vformat(text, arguments));
}

}  // namespace torchada
