#include "src/host/kernels/engine/worker.h"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

#include "src/host/musa/stream.h"
#include "src/host/shared/say.h"
#include "src/host/shared/workers/workers.h"

namespace musa {
namespace {

std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

torchada_xyz position(std::uint64_t index, const torchada_xyz& size) {
  const std::uint64_t row = index / size.x;
  return {static_cast<unsigned int>(index % size.x), static_cast<unsigned int>(row % size.y),
          static_cast<unsigned int>(row / size.y)};
}

// Three extents can have more blocks than 64 bits count. Nobody waits for the end of so many.
std::uint64_t blocks_of(const torchada_xyz& size) {
  constexpr std::uint64_t kEndless = std::uint64_t{1} << 63;
  std::uint64_t blocks = 0;
  return __builtin_mul_overflow(std::uint64_t{size.x} * size.y, size.z, &blocks) ? kEndless
                                                                                 : blocks;
}

constexpr const char* kNoMemory = "no memory is left for the stacks of its threads";

std::string text_of(const torchada_xyz& at) {
  return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " + std::to_string(at.z) +
         ")";
}

// Calls `work` on `count` threads at once.
void on_own_threads(std::uint64_t count, Progress* progress, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  // Signals belong to the program and its own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (std::uint64_t i = 1; i < count; ++i) threads.emplace_back(work);
  } catch (const std::exception&) {
    progress->error.store(musaErrorMemoryAllocation);
    progress->together->leave();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  work();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

musaError_t run_grid(const Grid& grid, int device) {
  constexpr std::uint64_t kFew = 1024;  // threads for which waking another core takes longer
  const std::uint64_t blocks = blocks_of(grid.blocks);
  const std::uint64_t threads = std::min(blocks, kFew + 1) * blocks_of(grid.threads);
  const auto cores = static_cast<std::uint64_t>(host::thread_count());
  const int parts = threads <= kFew ? 1 : static_cast<int>(std::min(blocks, cores));
  watch_faults();
  Progress progress;
  progress.shares = static_cast<std::uint64_t>(parts) * 16;
  const auto work = [&] {
    std::optional<OnStreamThread> here;
    if (!on_stream_thread()) here.emplace(device);
    try {
      Worker::mine().run(grid, &progress);
    } catch (...) {
      progress.error.store(musaErrorMemoryAllocation);  // for stacks
      if (progress.together) progress.together->leave();
    }
  };
  if (grid.cooperative) progress.together.emplace(static_cast<unsigned int>(blocks));
  // A plain kernel waits for nobody.
  if (grid.cooperative && grid.kernel->run_blocks == nullptr) {
    on_own_threads(blocks, &progress, work);
  } else {
    host::in_parallel(parts, [&](int) { work(); });
  }
  return progress.error.load();
}

Worker& Worker::mine() {
  static thread_local Worker worker;
  return worker;
}

// What the engine does for a thread. No exception may pass through code of a kernel.
template <typename Work>
auto Worker::serve(Work work) {
  try {
    return work(mine());
  } catch (const std::bad_alloc&) {  // It must be gone before the jump.
  }
  mine().end(musaErrorMemoryAllocation, kNoMemory);
}

const torchada_engine Worker::kEngine = {
    [] { return serve([](Worker& worker) { return worker.next(); }); },
    [](int vote) { return serve([=](Worker& worker) { return worker.barrier(vote); }); },
    [](torchada_meeting kind, std::uint32_t mask, std::uint64_t value, unsigned int argument) {
      return serve([&](Worker& worker) {
        return worker.meet({kind, mask, value, argument, nullptr, 0});
      });
    },
    [] { serve([](Worker& worker) { worker.yield(); }); }, &Worker::end_early,
    [](int wait) { return serve([=](Worker& worker) { return worker.grid_barrier(wait != 0); }); },
    // The last one leaves, too: so the threads of a warp go on together.
    [](int vote) {
      serve([=](Worker& worker) {
        if (worker.begin_barrier(vote)) worker.ready_.push_back(worker.self_);
      });
    },
    [](torchada_meeting kind, std::uint32_t mask, std::uint64_t value, unsigned int argument) {
      serve([&](Worker& worker) { worker.begin_meet({kind, mask, value, argument, nullptr, 0}); });
    },
    [] { serve([](Worker& worker) { worker.begin_yield(); }); },
    [](std::size_t bytes) { return serve([=](Worker& worker) { return worker.frame(bytes); }); }};

void Worker::end_early(torchada_end reason, const char* text) {
  if (reason == TORCHADA_END_EXIT) mine().exit_thread();
  const musaError_t error =
      reason == TORCHADA_END_ASSERT ? musaErrorAssert : musaErrorLaunchFailure;
  mine().end(error, text != nullptr ? text : "trap");
}

Worker::Worker() {
  FaultGuard guard;
  guard.owner = this;
  guard.escape = &Worker::go_on_after_fault;
  guard.stack = [](void* owner) -> void* {
    Fiber* const fiber = static_cast<Worker*>(owner)->running_;
    if (fiber == nullptr) return nullptr;
    fiber->notes.forget();
    return fiber->top();
  };
  signal_stack_.emplace(guard);
  // One more: the dynamic part begins at a line of its own.
  shared_memory_.resize(kSharedMemoryPerBlock / sizeof(Line) + 1);
  idle_.push_back(idle_fiber());
  if (idle_.back() == nullptr) throw std::bad_alloc();
}

void Worker::run(const Grid& grid, Progress* progress) {
  grid_ = &grid;
  progress_ = progress;
  state_.engine = &kEngine;
  state_.block_dim = grid.threads;
  state_.grid_dim = grid.blocks;
  state_.count = grid.threads.x * grid.threads.y * grid.threads.z;
  state_.dynamic_size = static_cast<unsigned int>(grid.dynamic_shared);
  const std::size_t dynamic = round_up(grid.kernel->shared_size, sizeof(Line));
  state_.shared = shared_memory_.front().bytes;
  state_.dynamic_shared = state_.shared + dynamic;
  if (grid.kernel->start != nullptr) name_threads();
  const std::uint64_t blocks = blocks_of(grid.blocks);
  const bool whole = grid.kernel->run_blocks != nullptr && grid.blocks.x <= TORCHADA_WIDEST_GRID;
  const std::uint64_t most =
      whole ? std::clamp<std::uint64_t>(blocks / progress->shares, 1, 64) : 1;
  while (progress->error.load(std::memory_order_relaxed) == musaSuccess) {
    const std::uint64_t first = progress->next_block.fetch_add(most, std::memory_order_relaxed);
    if (first >= blocks) return;
    const std::uint64_t count = std::min(most, blocks - first);
    whole_blocks_ = whole ? static_cast<unsigned int>(count) : 0;
    run_blocks(first);
    if (error_ != musaSuccess) progress->error.store(error_);
    if (progress->together) progress->together->leave();
  }
}

void Worker::run_blocks(std::uint64_t first) {
  state_.block = position(first, grid_->blocks);
  state_.begun = 0;
  state_.suspended = 0;
  state_.round = nullptr;
  ended_ = 0;
  error_ = musaSuccess;
  Fiber* const fiber = static_cast<Fiber*>(pick());
  self_ = running_ = fiber;
  jump(&main_, fiber);
  running_ = nullptr;
  if (error_ == musaSuccess) return;
  // Threads are left that will never end.
  ready_.clear();
  idle_.clear();
  at_barrier_.clear();
  votes_ = 0;
  meetings_.clear();
  in_meetings_ = 0;
  has_ended_.clear();
  for (const auto& each : fibers_) {
    each->restart();
    idle_.push_back(each.get());
  }
}

void Worker::fiber_main(Transfer from) {
  Worker& worker = *static_cast<Worker*>(from.data);
  worker.arrived(from, worker.running_);
  while (true) {
    const Grid& grid = *worker.grid_;
    if (grid.kernel->start != nullptr) {
      serve([](Worker& self) { self.run_frames(); });
    } else if (worker.whole_blocks_ != 0) {
      grid.kernel->run_blocks(&worker.state_, grid.arguments, worker.whole_blocks_);
    } else {
      grid.kernel->run(&worker.state_, grid.arguments);
    }
    worker.running_->has_thread = false;
    worker.idle_.push_back(worker.running_);
    worker.switch_to(worker.pick());
  }
}

void Worker::jump(Continuation* here, Continuation* to) {
  left_ = here;
  here->notes.leave_for(to->notes);
  arrived(boost::context::detail::jump_fcontext(to->at, this), here);
}

// A block and its fibers never change their OS thread: what is a thread's own would be another's.
void Worker::arrived(Transfer from, Continuation* here) {
  if (&mine() != this) std::abort();
  left_->at = from.fctx;
  here->notes.arrive(&left_->notes);
}

void Worker::switch_to(Fiber* fiber) {
  Fiber* const self = running_;
  self_ = running_ = fiber != nullptr ? fiber : running_;
  jump(self, fiber != nullptr ? fiber : &main_);
}

Fiber* Worker::idle_fiber() try {
  if (idle_.empty()) {
    const auto number = static_cast<unsigned int>(fibers_.size());
    // It can become idle where nothing can fail.
    if (idle_.capacity() <= number) idle_.reserve(2 * std::size_t{number} + 1);
    return fibers_.emplace_back(std::make_unique<Fiber>(number, fiber_main)).get();
  }
  Fiber* const fiber = idle_.back();
  idle_.pop_back();
  return fiber;
} catch (const std::bad_alloc&) {
  return nullptr;
}

Fiber* Worker::pick() {
  if (ready_.empty() && state_.begun < state_.count) {
    if (Fiber* const idle = idle_fiber(); idle != nullptr) return idle;
    end(musaErrorMemoryAllocation, kNoMemory);
  }
  if (ready_.empty() && state_.suspended != 0 && !release_active()) {
    end(musaErrorLaunchFailure, kNeverReached);
  }
  if (ready_.empty()) return nullptr;
  Fiber* const fiber = static_cast<Fiber*>(ready_.front());
  ready_.pop_front();
  return fiber;
}

void Worker::suspend() {
  Fiber* const self = running_;
  self->thread = state_.thread;
  self->index = state_.index;
  self->spins = state_.spins;
  ++state_.suspended;
  Fiber* const other = pick();
  if (other != self) switch_to(other);
  --state_.suspended;
  state_.thread = self->thread;
  state_.index = self->index;
  state_.spins = self->spins;
}

int Worker::next() {
  if (running_->has_thread) end_thread();
  running_->has_thread = state_.begun < state_.count;
  if (!running_->has_thread) return 0;
  state_.index = state_.begun++;
  state_.thread = position(state_.index, state_.block_dim);
  state_.spins = 0;
  return 1;
}

// All threads that have begun have ended, except this one.
void Worker::count_all_but_this() {
  if (meetings_.size() < state_.count) meetings_.resize(state_.count);
  has_ended_.assign(state_.count, 0);
  std::fill_n(has_ended_.begin(), state_.begun, 1);
  has_ended_[state_.index] = 0;
  ended_ = state_.begun - 1;
}

void Worker::end_thread() {
  if (state_.suspended == 0) return;
  has_ended_[state_.index] = 1;
  ++ended_;
  release_barrier();
  if (in_meetings_ == 0) return;
  for (unsigned int i = first_of_warp(state_.index); i < end_of_warp(state_.index); ++i) {
    if (meetings_[i].waiting != nullptr) release_meeting(i, true);
  }
}

int Worker::barrier(int vote) {
  if (!begin_barrier(vote)) suspend();
  return counted_;
}

bool Worker::begin_barrier(int vote) {
  count_ended();
  votes_ += vote != 0 ? 1 : 0;
  at_barrier_.push_back(self_);
  return release_barrier();
}

bool Worker::release_barrier() {
  if (at_barrier_.empty() || at_barrier_.size() != state_.count - ended_) return false;
  counted_ = std::exchange(votes_, 0);
  std::remove_copy(at_barrier_.begin(), at_barrier_.end(), std::back_inserter(ready_), self_);
  const bool with_me = at_barrier_.back() == self_;
  at_barrier_.clear();
  return with_me;
}

std::uint64_t Worker::meet(const Meeting& wanted) {
  if (!begin_meet(wanted)) suspend();
  return meetings_[state_.index].result;
}

bool Worker::begin_meet(const Meeting& wanted) {
  count_ended();
  Meeting& made = meetings_[state_.index] = wanted;
  if (made.kind == TORCHADA_MEET_VOTE) {
    made.value = made.value != 0;
    made.argument = 1;  // vote, as in TORCHADA_MEET_VOTES
  }
  made.waiting = self_;
  ++in_meetings_;
  return release_meeting(state_.index, true);
}

// Whether all threads of the meeting are there. Then it ends. Those that ask who is active are
// together, if they are at one place in the code, as soon as nothing else can run.
bool Worker::release_meeting(unsigned int index, bool others_run) {
  const Meeting made = meetings_[index];
  const bool active = made.kind == TORCHADA_MEET_ACTIVE;
  if (active && others_run) return false;
  const unsigned int first = first_of_warp(index);
  const auto waits = [&](const Meeting& other) {
    return other.waiting != nullptr && other.mask == made.mask &&
           (other.kind == made.kind || (other.votes() && made.votes()));
  };
  const auto is_in = [&](unsigned int i) {
    if (active) return waits(meetings_[i]) && meetings_[i].value == made.value;
    const unsigned int lane = i - first;
    return (made.mask == 0 || (lane < 32 && (made.mask >> lane & 1) != 0)) && has_ended_[i] == 0;
  };
  const unsigned int end = end_of_warp(index);
  bool in[kWidestWarp];
  // From the end: the last threads come last.
  for (unsigned int i = end; i-- > first;) {
    in[i - first] = is_in(i);
    if (in[i - first] && !waits(meetings_[i])) return false;
  }
  if (made.votes()) count_votes(first, end, in);
  std::uint64_t together = 0;
  for (unsigned int i = first; i < end; ++i) {
    if (!in[i - first] || made.votes()) continue;
    Meeting& each = meetings_[i];
    each.result = 0;
    if (active) together |= std::uint64_t{1} << (i - first);
    if (made.kind == TORCHADA_MEET_READ) {
      const unsigned int from = each.argument;
      each.result = meetings_[from < end - first && in[from] ? first + from : i].value;
    }
    for (unsigned int j = first; made.kind == TORCHADA_MEET_MATCH && j < end; ++j) {
      if (in[j - first] && meetings_[j].value == each.value) {
        each.result |= std::uint64_t{1} << (j - first);
      }
    }
  }
  for (unsigned int i = first; i < end; ++i) {
    if (!in[i - first]) continue;
    meetings_[i].result |= together;
    // The running one, too, if it is about to leave.
    if (meetings_[i].waiting != self_ || active || has_frames()) {
      ready_.push_back(meetings_[i].waiting);
    }
    meetings_[i].waiting = nullptr;
    --in_meetings_;
  }
  return true;
}

// Until a thread has all its votes. Those that wait for more than others go on waiting: they are
// not `in` any more.
void Worker::count_votes(unsigned int first, unsigned int end, bool* in) {
  bool has_all = false;
  while (!has_all) {
    std::uint64_t votes = 0;
    for (unsigned int i = first; i < end; ++i) {
      if (in[i - first]) votes |= (meetings_[i].value & 1) << (i - first);
    }
    for (unsigned int i = first; i < end; ++i) {
      if (!in[i - first]) continue;
      Meeting& each = meetings_[i];
      each.result = votes;
      if (each.kind == TORCHADA_MEET_VOTES) {
        bit_votes_[i][each.counted] = static_cast<std::uint32_t>(votes);
      }
      each.value >>= 1;
      ++each.counted;
      has_all = has_all || each.counted == each.argument;
    }
  }
  for (unsigned int i = first; i < end; ++i) {
    in[i - first] = in[i - first] && meetings_[i].counted == meetings_[i].argument;
  }
}

bool Worker::release_active() {
  bool released = false;
  for (unsigned int i = 0; i < state_.count && !meetings_.empty(); ++i) {
    if (meetings_[i].waiting != nullptr && meetings_[i].kind == TORCHADA_MEET_ACTIVE) {
      released = release_meeting(i, false);
    }
  }
  return released;
}

void Worker::yield() {
  count_ended();
  // A thread that has not begun may be the one for which this one waits.
  if (state_.begun < state_.count) {
    if (Fiber* const idle = idle_fiber(); idle != nullptr) ready_.push_front(idle);
  }
  ready_.push_back(self_);
  suspend();
}

int Worker::grid_barrier(bool wait) {
  if (!progress_->together) return 0;
  if (!wait || progress_->together->wait()) return 1;
  // One that has failed has said why.
  musaError_t none = musaSuccess;
  if (progress_->error.compare_exchange_strong(none, musaErrorLaunchFailure)) {
    end(musaErrorLaunchFailure, "it waits for the grid, of which a block has ended");
  }
  error_ = none;
  jump(running_, &main_);
  __builtin_unreachable();
}

// What the thread has on its stack is forgotten: the fiber begins anew, with the next thread.
void Worker::exit_thread() {
  running_->restart();
  running_->has_thread = true;  // next() ends it
  jump(&gone_, running_);
  __builtin_unreachable();
}

void Worker::end(musaError_t error, const char* why) {
  try {  // Nobody comes back here: what needs a destructor must be gone before the jump.
    std::string where = "block " + text_of(state_.block);
    if (state_.index < state_.count) where += ", thread " + text_of(state_.thread);
    host::say(std::string("kernel ") + grid_->kernel->name + ": " + where + ": " + why);
  } catch (const std::bad_alloc&) {  // The status says enough.
  }
  error_ = error;
  jump(running_, &main_);
  __builtin_unreachable();
}

// The handler let the thread go on here, on an empty stack.
void Worker::go_on_after_fault() {
  Worker& worker = mine();
  const FaultGuard& fault = worker.signal_stack_->guard();
  if (fault.signal == SIGFPE) worker.end(musaErrorLaunchFailure, "division of an integer by 0");
  if (fault.signal == SIGILL) worker.end(musaErrorLaunchFailure, "trap");
  for (const auto& fiber : worker.fibers_) {
    if (fiber->is_guard(fault.address)) {
      worker.end(musaErrorLaunchFailure, kTooDeep);
    }
  }
  if (!fault.has_address) worker.end(musaErrorIllegalAddress, "illegal address");
  char text[64];
  std::snprintf(text, sizeof(text), "illegal address 0x%zx",
                reinterpret_cast<std::size_t>(fault.address));
  worker.end(musaErrorIllegalAddress, text);
}

}  // namespace musa
