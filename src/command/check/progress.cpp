#include "src/command/check/progress.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace torchada::check {
namespace {

constexpr std::size_t kWidth = 30;

bool has_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace

Progress::Progress(std::size_t total, const char* what)
    : total_(total), what_(what), shown_(total > 1 && has_terminal()) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::step() {
  const std::size_t done = ++done_;
  if (!shown_) return;
  const int percent = static_cast<int>(done * 100 / total_);
  if (percent_.exchange(percent) == percent) return;
  const std::size_t filled = done * kWidth / total_;
  const std::string bar = std::string(filled, '=') + std::string(kWidth - filled, ' ');
  const std::lock_guard<std::mutex> lock(line_);
  std::fprintf(stderr, "\r[%s] %zu of %zu %s", bar.c_str(), done, total_, what_);
}

}  // namespace torchada::check
