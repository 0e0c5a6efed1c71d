// Where the blocks of a cooperative launch meet. Each has an OS thread of its own.
#pragma once

#include <condition_variable>
#include <mutex>

namespace musa {

class GridBarrier {
 public:
  explicit GridBarrier(unsigned int blocks) : blocks_(blocks) {}

  // False: one that has ended will never come.
  bool wait() {
    std::unique_lock lock(mutex_);
    const unsigned int mine = meeting_;
    if (++arrived_ == blocks_) {
      arrived_ = 0;
      ++meeting_;
      changed_.notify_all();
      return true;
    }
    changed_.wait(lock, [&] { return meeting_ != mine || has_ended_; });
    return meeting_ != mine;
  }

  // A block has ended.
  void leave() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }

 private:
  const unsigned int blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned int arrived_ = 0;
  unsigned int meeting_ = 0;
  bool has_ended_ = false;
};

}  // namespace musa
