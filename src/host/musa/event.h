// An event, and the recording it currently stands for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "musa_runtime_api.h"
#include "src/host/musa/shared_event.h"
#include "src/host/shared/handle_table.h"

namespace musa {

// One musaEventRecord. It completes when the stream reaches it. Waiters keep the recording they
// saw, whatever happens to the event afterwards.
class Recording {
 public:
  Recording() = default;
  // A recording that other processes see too.
  Recording(std::shared_ptr<SharedEvent> shared, std::uint32_t number)
      : shared_(std::move(shared)), number_(number) {}

  void complete() {
    if (shared_ != nullptr) return shared_->complete(number_);
    const std::lock_guard lock(mutex_);
    time_ = std::chrono::steady_clock::now();
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    if (shared_ != nullptr) return shared_->wait(number_);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_; });
  }
  bool is_done() {
    if (shared_ != nullptr) return shared_->is_done(number_);
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
  const std::shared_ptr<SharedEvent> shared_;
  const std::uint32_t number_ = 0;
};

struct CapturedRecord;

class Event {
 public:
  Event(int device, unsigned int flags, std::shared_ptr<SharedEvent> shared = nullptr)
      : device_(device), flags_(flags), shared_(std::move(shared)) {}

  musaEvent_t handle = nullptr;

  int device() const { return device_; }
  unsigned int flags() const { return flags_; }
  // Null unless other processes can open it.
  const std::shared_ptr<SharedEvent>& shared() const { return shared_; }
  std::shared_ptr<Recording> new_recording() const {
    return shared_ == nullptr ? std::make_shared<Recording>()
                              : std::make_shared<Recording>(shared_, shared_->issue());
  }

  std::shared_ptr<Recording> recording() {
    if (shared_ != nullptr) {
      const std::uint32_t latest = shared_->latest();
      return latest == 0 ? nullptr : std::make_shared<Recording>(shared_, latest);
    }
    const std::lock_guard lock(mutex_);
    return recording_;
  }
  void set_recording(std::shared_ptr<Recording> recording) {
    const std::lock_guard lock(mutex_);
    recording_ = std::move(recording);
    captured_ = nullptr;
  }
  // The captured record if the event was last recorded in a capturing stream, otherwise null.
  std::shared_ptr<CapturedRecord> captured() {
    if (!ever_captured_.load()) return nullptr;
    const std::lock_guard lock(mutex_);
    return captured_;
  }
  void set_captured(std::shared_ptr<CapturedRecord> captured) {
    const std::lock_guard lock(mutex_);
    ever_captured_.store(true);
    captured_ = std::move(captured);
  }

 private:
  const int device_;
  const unsigned int flags_;
  const std::shared_ptr<SharedEvent> shared_;
  std::mutex mutex_;
  std::shared_ptr<Recording> recording_;
  std::shared_ptr<CapturedRecord> captured_;
  std::atomic<bool> ever_captured_{false};
};

using EventHandles = host::HandleTable<host::HandleKind::kEvent, musaEvent_t, Event>;

EventHandles& event_handles();
// Null if the handle is not live.
std::shared_ptr<Event> resolve_event(musaEvent_t handle);

}  // namespace musa
