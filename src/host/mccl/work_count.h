#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace host_mccl {

// How many pieces of work of a communicator were started and have not ended. May outlive the
// communicator.
class WorkCount {
 public:
  // Counts one piece as long as it exists.
  class Piece {
   public:
    explicit Piece(std::shared_ptr<WorkCount> count) : count_(std::move(count)) { count_->add(1); }
    ~Piece() {
      if (count_) count_->add(-1);
    }
    Piece(Piece&& other) noexcept = default;
    Piece& operator=(Piece&&) = delete;
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    std::shared_ptr<WorkCount> count_;
  };

  // Waits until all work has ended, or the condition holds.
  template <typename Condition>
  void wait_unless(const Condition& is_so) {
    constexpr std::chrono::milliseconds kStep{100};
    std::unique_lock lock(mutex_);
    while (pieces_ != 0 && !is_so()) ended_.wait_for(lock, kStep);
  }

 private:
  void add(int pieces) {
    const std::lock_guard lock(mutex_);
    pieces_ += pieces;
    if (pieces_ == 0) ended_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  int pieces_ = 0;
};

}  // namespace host_mccl
