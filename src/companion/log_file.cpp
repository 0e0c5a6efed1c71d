#include "src/companion/log_file.h"

#include <fcntl.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "src/companion/write_all.h"
#include "src/shared/companion_interface.h"
#include "src/shared/file_pattern.h"
#include "src/shared/own_descriptor.h"

namespace torchada {
namespace {

constexpr char kVariable[] = "TORCHADA_LOG_FILE";
// For example: 2026-03-01T12:00:00.123456+01:00 [4711:4712] [warning] libcudart.so.12: ...
constexpr char kPattern[] = "%Y-%m-%dT%H:%M:%S.%f%z [%P:%t] [%l] %n: %v";

std::atomic<bool> failure_said{false};

std::string log_path() {
  // Never destroyed: the summary is printed after other static objects are gone.
  static const auto* const start = [] {
    std::error_code error;
    return new std::filesystem::path(std::filesystem::current_path(error));
  }();
  return *start / expanded(secure_getenv(kVariable));
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    default:
      return spdlog::level::warn;
  }
}

// Only spdlog's formatter: its sinks lock, and the parent of a fork may hold that lock.
std::string formatted(LogLevel level, const char* library, std::string_view text) {
  spdlog::pattern_formatter formatter{kPattern};
  spdlog::details::log_msg message{library, spdlog_level(level),
                                   spdlog::string_view_t(text.data(), text.size())};
  // In a child of fork() spdlog remembers the parent's thread.
  message.thread_id = static_cast<std::size_t>(syscall(SYS_gettid));
  spdlog::memory_buf_t buffer;
  formatter.format(message, buffer);
  return {buffer.data(), buffer.size()};
}

// Returns 0 or an errno value.
int append(const std::string& path, const std::string& line) {
  // O_NONBLOCK: a pipe without a reader must not stop the program.
  const int file = above_standard(
      open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0644));
  if (file < 0) return errno;
  const int error = write_all(file, line) ? 0 : errno;
  close(file);
  return error;
}

}  // namespace

bool has_log_file() {
  const char* pattern = secure_getenv(kVariable);
  return pattern && *pattern != '\0';
}

bool log_to_file(LogLevel level, const char* library, std::string_view text) {
  const std::string path = log_path();
  const int error = append(path, formatted(level, library, text));
  if (error == 0) return true;
  if (!failure_said.exchange(true)) {
    write_all(STDERR_FILENO, std::string("torchada: ") + library + ": " + kVariable +
                                 ": cannot write " + path + ": " + std::strerror(error) +
                                 "; messages go to stderr\n");
  }
  return false;
}

}  // namespace torchada

extern "C" int32_t torchada_companion_log(int32_t level, const char* library,
                                          const char* text) try {
  return torchada::has_log_file() &&
         torchada::log_to_file(static_cast<torchada::LogLevel>(level), library, text);
} catch (...) {
  return 0;  // No memory. The line goes to stderr.
}
