// Shows the progress of long work on a terminal's stderr. Prints nothing elsewhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

namespace torchada::check {

class Progress {
 public:
  // `what` names the things counted: "files".
  explicit Progress(std::size_t total, const char* what = "files");
  ~Progress();  // Clears the line.
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step();  // Callable from any thread.

 private:
  const std::size_t total_;
  const char* const what_;
  const bool shown_;
  std::atomic<std::size_t> done_{0};
  std::atomic<int> percent_{-1};
  std::mutex line_;
};

}  // namespace torchada::check
