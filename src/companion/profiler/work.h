// What runs on a device, timed by a pair of MUSA's events around it in its stream.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "src/companion/profiler/buffers.h"
#include "src/companion/profiler/clock.h"
#include "src/companion/profiler/record.h"

namespace torchada::profiler {

// An event of known time, to which those of the work are compared. Elapsed times are floats, so it
// must not be long ago.
struct Reference {
  void* event;
  Moment moment;
};

struct Timed {
  void* context;
  std::shared_ptr<const Reference> reference;
  void* first;  // Events.
  void* last;
  std::uint64_t begun;       // now() when the call began: no work began before.
  std::uint32_t start, end;  // Offsets of the times in the record.
  std::optional<Record> record;
};

class Works {
 public:
  explicit Works(const Facts& facts) : musa_(facts.musa) {}

  // Records the first event in `stream`. Null if that captures, since no work runs then, or if MUSA
  // refuses, which counts as a dropped record.
  std::unique_ptr<Timed> begin(void* stream, Buffers* to);
  // Records the last event, and keeps the work until its times are known.
  void end(std::unique_ptr<Timed> work, void* stream, Buffers* to);
  // The events of work that failed.
  void forget(std::unique_ptr<Timed> work);

  bool are_many() const {
    return count_.load(std::memory_order_relaxed) >= many_.load(std::memory_order_relaxed);
  }
  // Adds the records of all works that have ended.
  void collect(Buffers* to);

  // From now on times are of another clock.
  void change_clock(Clock clock);

  void before_fork() { mutex_.lock(); }
  void after_fork(bool is_child);

 private:
  static constexpr std::size_t kMany = 4096;

  void* take_event(void* context);
  void give_back(void* context, void* event);
  std::shared_ptr<const Reference> reference_in(void* context);
  bool find_moment(Reference* reference, void* stream) const;
  // False while the work has not ended.
  bool finish(Timed* work, Buffers* to);

  const decltype(Facts::musa)& musa_;
  std::mutex mutex_;
  std::map<void*, std::vector<void*>> events_;  // By context, not in use.
  std::map<void*, std::shared_ptr<const Reference>> references_;
  std::map<void*, void*> streams_;  // Of references, by context.
  unsigned clocks_ = 0;             // How often the clock has changed.
  std::deque<std::unique_ptr<Timed>> waiting_;
  std::atomic<std::size_t> count_{0};  // Of waiting_.
  // kMany more than had not ended when they were last looked through: each is asked about seldom.
  std::atomic<std::size_t> many_{kMany};
};

}  // namespace torchada::profiler
