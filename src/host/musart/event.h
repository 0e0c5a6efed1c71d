// An event, and the recording it currently stands for.
#ifndef TORCHADA_HOST_MUSART_EVENT_H_
#define TORCHADA_HOST_MUSART_EVENT_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace musart {

// One musaEventRecord: reached when the stream's work comes to it. Waiters keep the recording they
// saw, whatever happens to the event afterwards.
class Recording {
 public:
  void complete() {
    const std::lock_guard lock(mutex_);
    time_ = std::chrono::steady_clock::now();
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_; });
  }
  bool is_done() {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  std::chrono::steady_clock::time_point time() {
    const std::lock_guard lock(mutex_);
    return time_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point time_;
  bool done_ = false;
};

struct CapturedRecord;

class Event {
 public:
  Event(int device, unsigned int flags) : device_(device), flags_(flags) {}

  int device() const { return device_; }
  unsigned int flags() const { return flags_; }

  std::shared_ptr<Recording> recording() {
    const std::lock_guard lock(mutex_);
    return recording_;
  }
  void set_recording(std::shared_ptr<Recording> recording) {
    const std::lock_guard lock(mutex_);
    recording_ = std::move(recording);
    captured_ = nullptr;
  }
  // What it stands for if it was last recorded in a capturing stream, else null.
  std::shared_ptr<CapturedRecord> captured() {
    const std::lock_guard lock(mutex_);
    return captured_;
  }
  void set_captured(std::shared_ptr<CapturedRecord> captured) {
    const std::lock_guard lock(mutex_);
    captured_ = std::move(captured);
  }

 private:
  const int device_;
  const unsigned int flags_;
  std::mutex mutex_;
  std::shared_ptr<Recording> recording_;
  std::shared_ptr<CapturedRecord> captured_;
};

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_EVENT_H_
