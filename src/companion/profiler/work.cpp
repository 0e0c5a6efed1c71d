#include "src/companion/profiler/work.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "src/companion/profiler/within.h"

namespace torchada::profiler {
namespace {

constexpr std::uint64_t kOld = 1'000'000'000;  // A reference, in nanoseconds.
constexpr double kNanosecondsPerMillisecond = 1e6;

// Queries of events are allowed while another thread captures a graph.
class Relaxed {
 public:
  explicit Relaxed(const decltype(Facts::musa)& musa) : musa_(musa), mode_(musa.relaxed_capture) {
    musa_.exchange_capture_mode(&mode_);
  }
  ~Relaxed() { musa_.exchange_capture_mode(&mode_); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

 private:
  const decltype(Facts::musa)& musa_;
  std::int32_t mode_;
};

}  // namespace

void* Works::take_event(void* context) {
  {
    const std::lock_guard lock(mutex_);
    std::vector<void*>& kept = events_[context];
    if (!kept.empty()) {
      void* const event = kept.back();
      kept.pop_back();
      return event;
    }
  }
  void* event = nullptr;
  return musa_.make_event(&event, 0) == 0 ? event : nullptr;
}

void Works::give_back(void* context, void* event) {
  if (!event) return;
  const std::lock_guard lock(mutex_);
  events_[context].push_back(event);
}

// The event happens between two readings of the clocks. On a busy machine these may lie far apart.
bool Works::find_moment(Reference* reference, void* stream) const {
  constexpr int kTries = 8;
  constexpr std::uint64_t kNear = 20'000;  // Nanoseconds.
  std::uint64_t between = UINT64_MAX;
  for (int i = 0; i < kTries && between > kNear; ++i) {
    const Moment before = this_moment();
    if (musa_.record(reference->event, stream) != 0) return false;
    if (musa_.wait(reference->event) != 0) return false;
    const Moment after = this_moment();
    between = after.nanoseconds - before.nanoseconds;
    // The last recording counts: the event has forgotten those before.
    reference->moment = {before.nanoseconds + between / 2,
                         before.time + (after.time - before.time) / 2};
  }
  return true;
}

std::shared_ptr<const Reference> Works::reference_in(void* context) {
  void* stream = nullptr;
  unsigned clocks = 0;
  {
    const std::lock_guard lock(mutex_);
    clocks = clocks_;
    const auto& known = references_[context];
    if (known && this_moment().nanoseconds - known->moment.nanoseconds < kOld) return known;
    stream = streams_[context];
  }
  if (!stream && musa_.make_stream(&stream, musa_.non_blocking) != 0) return nullptr;
  std::shared_ptr<Reference> made(new Reference{nullptr, {}}, [this](const Reference* old) {
    if (old->event) musa_.destroy_event(old->event);
    delete old;
  });
  if (musa_.make_event(&made->event, 0) != 0 || !find_moment(made.get(), stream)) return nullptr;
  std::shared_ptr<const Reference> old = made;  // destroyed after the lock
  const std::lock_guard lock(mutex_);
  streams_[context] = stream;
  if (clocks != clocks_) return nullptr;
  references_[context].swap(old);
  return made;
}

std::unique_ptr<Timed> Works::begin(void* stream, Buffers* to) {
  const Relaxed relaxed(musa_);
  std::int32_t captures = 0;
  if (musa_.capture_status(stream, &captures) != 0 || captures != 0) return nullptr;
  auto work = std::make_unique<Timed>();
  musa_.current_context(&work->context);
  work->begun = now();
  work->reference = reference_in(work->context);
  work->first = take_event(work->context);
  work->last = take_event(work->context);
  if (work->reference && work->first && work->last && musa_.record(work->first, stream) == 0) {
    return work;
  }
  forget(std::move(work));
  to->drop();
  return nullptr;
}

void Works::end(std::unique_ptr<Timed> work, void* stream, Buffers* to) {
  const Relaxed relaxed(musa_);
  if (musa_.record(work->last, stream) != 0) {
    to->drop();
    return forget(std::move(work));
  }
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  count_.store(waiting_.size(), std::memory_order_relaxed);
}

void Works::forget(std::unique_ptr<Timed> work) {
  give_back(work->context, work->first);
  give_back(work->context, work->last);
}

bool Works::finish(Timed* work, Buffers* to) {
  const std::int32_t status = musa_.query(work->last);
  if (status == musa_.not_ready) return false;
  float before = 0;
  float after = 0;
  if (status != 0 || musa_.elapsed(&before, work->reference->event, work->first) != 0 ||
      musa_.elapsed(&after, work->reference->event, work->last) != 0) {
    to->drop();
    return true;
  }
  const Moment& reference = work->reference->moment;
  const Moment current = this_moment();
  const auto time_of = [&](float milliseconds) {
    const auto nanoseconds =
        static_cast<std::int64_t>(static_cast<double>(milliseconds) * kNanosecondsPerMillisecond);
    return time_at(reference.nanoseconds + static_cast<std::uint64_t>(nanoseconds), reference,
                   current);
  };
  // It began after its call, and has ended by now.
  const std::uint64_t start = std::min(std::max(time_of(before), work->begun), current.time);
  const std::uint64_t end = std::min(std::max(time_of(after), start), current.time);
  to->add(work->record->set(work->start, start).set(work->end, end));
  return true;
}

void Works::collect(Buffers* to) {
  if (count_.load(std::memory_order_relaxed) == 0) return;
  const Relaxed relaxed(musa_);
  std::deque<std::unique_ptr<Timed>> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(waiting_);
    count_.store(0, std::memory_order_relaxed);
  }
  if (taken.empty()) return;
  // MUSA's driver asks for a context, and a thread has none when the program ends.
  void* current = nullptr;
  musa_.current_context(&current);
  std::optional<Within> within;
  if (!current) within.emplace(musa_, taken.front()->context);
  std::deque<std::unique_ptr<Timed>> left;
  for (std::unique_ptr<Timed>& work : taken) {
    if (finish(work.get(), to)) {
      forget(std::move(work));
    } else {
      left.push_back(std::move(work));
    }
  }
  const std::lock_guard lock(mutex_);
  many_.store(left.size() + kMany, std::memory_order_relaxed);
  waiting_.insert(waiting_.begin(), std::make_move_iterator(left.begin()),
                  std::make_move_iterator(left.end()));
  count_.store(waiting_.size(), std::memory_order_relaxed);
}

void Works::change_clock(Clock clock) {
  std::map<void*, std::shared_ptr<const Reference>> old;  // destroyed after the lock
  const std::lock_guard lock(mutex_);
  set_clock(clock);
  ++clocks_;
  references_.swap(old);
}

// MUSA has ended in a child of fork(), and its objects with it.
void Works::after_fork(bool is_child) {
  if (is_child) {
    // Not destroyed, since that would call MUSA.
    // NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks)
    new std::deque(std::exchange(waiting_, {}));
    new std::map(std::exchange(references_, {}));
    events_.clear();
    // NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)
    streams_.clear();
    count_.store(0);
    many_.store(kMany);
  }
  mutex_.unlock();
}

}  // namespace torchada::profiler
