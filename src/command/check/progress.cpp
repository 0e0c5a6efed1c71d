#include "src/command/check/progress.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace torchada::check {
namespace {

constexpr std::size_t kWidth = 30;
constexpr std::size_t kEnough = 3;  // Seconds. A shorter time says little about the rest.

bool has_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace

Progress::Progress(std::size_t total, const char* what, std::string title)
    : total_(total),
      what_(what),
      title_(std::move(title)),
      shown_((total > 1 || !title_.empty()) && has_terminal()) {
  if (shown_) std::fprintf(stderr, "\r%s", title_.c_str());
}

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
  const std::size_t spent = static_cast<std::size_t>(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_)
          .count());
  std::string left;
  if (spent >= kEnough && done < total_) {
    left = ", about " + std::to_string(spent * (total_ - done) / done + 1) + " s left";
  }
  const std::lock_guard<std::mutex> lock(line_);
  std::fprintf(stderr, "\r%s%s[%s] %zu of %zu %s%s\033[K", title_.c_str(),
               title_.empty() ? "" : ": ", bar.c_str(), done, total_, what_, left.c_str());
}

}  // namespace torchada::check
