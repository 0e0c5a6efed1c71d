// A stream: a queue of work, executed in order by its own thread. The first work starts the thread.
#pragma once

#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "src/host/musa/device_state.h"

namespace musa {

class Stream;
struct StreamCapture;

// A position in a stream, reached once that many pieces of its work are complete.
struct Milestone {
  std::shared_ptr<Stream> stream;
  std::uint64_t position = 0;
  void wait() const;
};

struct Task {
  // Milestones of other streams that must complete first. They were submitted earlier, so waits
  // cannot form a cycle.
  std::vector<Milestone> after;
  std::function<void()> run;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(DeviceState& device, unsigned int flags, int priority, std::uint64_t id)
      : device_(device), flags_(flags), priority_(priority), id_(id) {}

  int device() const { return device_.ordinal; }
  unsigned int flags() const { return flags_; }
  int priority() const { return priority_; }
  std::uint64_t id() const { return id_; }
  // Whether it keeps order with the legacy default stream.
  bool is_blocking() const;

  // Appends work and returns its position.
  std::uint64_t push(Task task);
  // Claims the next position for work that the calling thread runs itself, between these two. False
  // if earlier work is left.
  bool begin_here();
  void end_here();
  Milestone latest() { return {shared_from_this(), submitted_.load()}; }
  bool is_idle() const { return has_reached(submitted_.load()); }
  void wait_for(std::uint64_t position);
  bool has_reached(std::uint64_t position) const { return completed_.load() >= position; }
  // Lets the thread end once the queue is empty. Work already in the queue is still done, and also
  // work of a thread that found the stream before it was destroyed.
  void close();
  bool is_closed() const { return closing_.load(); }
  bool is_finished() const { return is_closed() && is_idle(); }

  // The last capture in which the stream took part; guarded by graph_mutex().
  std::shared_ptr<StreamCapture> capture;

 private:
  void start_thread();
  void work();
  void complete_one();

  DeviceState& device_;
  const unsigned int flags_;
  const int priority_;
  const std::uint64_t id_;

  std::mutex mutex_;
  std::condition_variable work_, reached_;
  std::vector<Task> queue_;  // what the thread has not taken yet
  std::vector<Task> taken_;  // the thread's own; here, so that it needs no memory when it begins
  bool thread_started_ = false;
  bool thread_sleeps_ = false;
  bool runs_here_ = false;  // between begin_here() and end_here()
  // Written under the lock.
  std::atomic<bool> closing_{false};
  std::atomic<std::uint64_t> submitted_{0};
  // The lowest position that a thread waits for. Until then completion wakes nobody.
  std::atomic<std::uint64_t> awaited_{UINT64_MAX};
  std::atomic<std::uint64_t> completed_{0};
};

// Whether the calling thread is a stream's own thread. There, waiting for streams would never end.
bool on_stream_thread();
// The device of the stream to which the calling thread belongs; -1 for all other threads.
int stream_thread_device();

// Makes the calling thread count as a thread of the device's streams while it runs their work. The
// work computes with default rounding and without traps, whatever the thread has set.
class OnStreamThread {
 public:
  explicit OnStreamThread(int device);
  ~OnStreamThread();
  OnStreamThread(const OnStreamThread&) = delete;
  OnStreamThread& operator=(const OnStreamThread&) = delete;

 private:
#if defined(__x86_64__)
  unsigned int floats_;  // MXCSR; all of a std::fenv_t would take longer than a small product
#else
  std::fenv_t floats_;
#endif
};

}  // namespace musa
