// An OS thread that runs blocks, one after the other. A fiber runs threads of the block one after
// the other, too. Only when one has to wait for others does another fiber go on with the threads
// that have not begun. So a kernel without barriers and warp operations needs one fiber.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "src/host/kernels/engine/faults.h"
#include "src/host/kernels/engine/fiber.h"
#include "src/host/kernels/engine/grid.h"
#include "src/host/kernels/engine/grid_barrier.h"

namespace musa {

// What a grid's workers share.
struct Progress {
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<musaError_t> error{musaSuccess};
  std::optional<GridBarrier> together;  // of a cooperative launch
  std::uint64_t shares = 1;  // into which many blocks are to be divided, so that all cores get some
};

class Worker {
 public:
  // The calling thread's own.
  static Worker& mine();

  // Runs blocks until none is left or one has failed.
  void run(const Grid& grid, Progress* progress);

 private:
  using Transfer = boost::context::detail::transfer_t;
  static constexpr unsigned int kWidestWarp = 128;
  // A thread that waits for others of its warp.
  struct Meeting {
    torchada_meeting kind;
    std::uint32_t mask;
    std::uint64_t value;
    unsigned int argument;
    Begun* waiting = nullptr;  // null if the thread does not wait
    std::uint64_t result;
    std::uint32_t counted = 0;  // of its votes

    bool votes() const { return kind == TORCHADA_MEET_VOTE || kind == TORCHADA_MEET_VOTES; }
  };

  using Votes = std::array<std::uint32_t, TORCHADA_MOST_VOTES>;

  static constexpr const char* kNeverReached =
      "its threads wait for each other: some are at a barrier or in a warp operation that others "
      "never reach";
  static constexpr const char* kTooDeep = "it needs more than the 64 KiB of stack of a thread";

  Worker();
  // Runs a block, or as many as whole_blocks_ says, in order.
  void run_blocks(std::uint64_t first);
  static void fiber_main(Transfer from);
  static void go_on_after_fault();

  template <typename Work>
  static auto serve(Work work);
  // What torchada_engine offers.
  static const torchada_engine kEngine;
  int next();
  int barrier(int vote);
  bool has_frames() const { return grid_->kernel->start != nullptr; }
  // Whether the running thread goes on. One that has a frame leaves all the same.
  bool begin_barrier(int vote);
  bool begin_meet(const Meeting& wanted);
  void begin_yield();
  void* frame(std::size_t bytes);
  void name_threads();
  // Runs the threads of a block that have frames.
  void run_frames();
  bool begin_frame(unsigned int index);
  // Runs a thread until it waits; `met` is what it gets of its meeting. False: it has ended.
  bool run_frame(Begun* thread, std::uint64_t met);
  // Begins the threads of a warp, or goes on with them, one after the other, from one meeting of
  // the whole warp to the next.
  void run_warp(unsigned int first, bool begins);
  bool run_round(bool begins);
  void finish_round();
  bool is_warp_ready() const;
  std::uint64_t meet(const Meeting& wanted);
  void yield();
  int grid_barrier(bool wait);
  static void end_early(torchada_end reason, const char* text);
  [[noreturn]] void end(musaError_t error, const char* why);
  [[noreturn]] void exit_thread();

  // Brings has_ended_ and ended_ up to date. Nobody counts while no thread waits.
  void count_ended() {
    if (state_.suspended == 0) count_all_but_this();
  }
  void count_all_but_this();
  void end_thread();
  bool release_barrier();
  bool release_meeting(unsigned int index, bool others_run);
  void count_votes(unsigned int first, unsigned int end, bool* in);
  bool release_active();
  unsigned int first_of_warp(unsigned int index) const {
    return index & -grid_->image->warp_size;  // a power of 2
  }
  unsigned int end_of_warp(unsigned int index) const {
    return std::min(first_of_warp(index) + grid_->image->warp_size, state_.count);
  }

  // Puts the running thread aside until it is ready.
  void suspend();
  // What runs next: a thread that is ready, or a fiber for those that have not begun. Null if all
  // threads have ended.
  Fiber* pick();
  Fiber* idle_fiber();           // null: no memory is left for its stack
  void switch_to(Fiber* fiber);  // null: back to run_blocks()
  void arrived(Transfer from, Continuation* here);
  // Goes on in `to`, until something goes on in `here`.
  void jump(Continuation* here, Continuation* to);

  const Grid* grid_ = nullptr;
  Progress* progress_ = nullptr;
  torchada_state state_{};
  unsigned int whole_blocks_ = 0;  // how many the kernel runs by itself now

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  std::deque<Begun*> ready_;
  Fiber* running_ = nullptr;  // null between blocks
  Begun* self_ = nullptr;     // the running thread: its fiber, or one of framed_
  Continuation main_;
  Continuation gone_;             // where nothing goes on
  Continuation* left_ = nullptr;  // what was running
  musaError_t error_ = musaSuccess;

  // Of the block.
  std::vector<unsigned char> has_ended_;
  unsigned int ended_ = 0;
  std::vector<Begun*> at_barrier_;
  int votes_ = 0;                  // not 0, of those at the barrier
  int counted_ = 0;                // of the last barrier
  std::vector<Meeting> meetings_;  // by thread
  unsigned int in_meetings_ = 0;   // threads that wait there
  struct alignas(128) Line {
    unsigned char bytes[128];
  };
  std::vector<Line> shared_memory_;
  std::vector<Begun> framed_;
  std::vector<Votes> bit_votes_;  // by thread, of its last TORCHADA_MEET_VOTES
  std::vector<Line> frames_;
  torchada_round round_{};
  std::uint64_t met_[32] = {};  // results of the round's meeting, by lane
  bool is_yielding_ = false;    // a thread lets others run, also those that have not begun

  std::optional<SignalStack> signal_stack_;
};

}  // namespace musa
