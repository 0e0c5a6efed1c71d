// Shows the progress of long work, and about how long it still takes, on a terminal's stderr.
// Prints nothing elsewhere.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace torchada::check {

class Progress {
 public:
  // `what` names the things counted: "files". `title`, if any, is shown from the start.
  explicit Progress(std::size_t total, const char* what = "files", std::string title = "");
  ~Progress();  // Clears the line.
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step();  // Callable from any thread.

 private:
  const std::size_t total_;
  const char* const what_;
  const std::string title_;
  const bool shown_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> done_{0};
  std::atomic<int> percent_{-1};
  std::mutex line_;
};

}  // namespace torchada::check
