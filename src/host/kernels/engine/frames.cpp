// Threads that have frames instead of stacks (translate/frames.cpp). One fiber runs all of a block.
#include "src/host/kernels/engine/worker.h"

namespace musa {

// Once for a grid: the blocks are alike.
void Worker::name_threads() {
  framed_.resize(state_.count);
  torchada_xyz at{};
  for (unsigned int i = 0; i < state_.count; ++i) {
    framed_[i].index = i;
    framed_[i].thread = at;
    torchada_advance(&at, &state_.block_dim);
  }
}

void Worker::run_frames() {
  is_yielding_ = false;
  while (true) {
    const bool begins = state_.begun < state_.count && (ready_.empty() || is_yielding_);
    is_yielding_ = false;
    if (begins) {
      Begun& thread = framed_[state_.begun++];
      thread.frame = nullptr;
      thread.spins = 0;
      run_frame(&thread);
    } else if (!ready_.empty()) {
      Begun* const thread = ready_.front();
      ready_.pop_front();
      --state_.suspended;
      run_frame(thread);
    } else if (state_.suspended == 0) {
      return;
    } else if (!release_active()) {
      end(musaErrorLaunchFailure, kNeverReached);
    }
  }
}

void Worker::run_frame(Begun* thread) {
  using GoOn = void (*)(void*);
  self_ = thread;
  state_.thread = thread->thread;
  state_.index = thread->index;
  state_.spins = thread->spins;
  if (thread->frame == nullptr) {
    thread->frame = grid_->kernel->start(&state_, grid_->arguments);
  } else {
    state_.counted = counted_;
    if (thread->index < meetings_.size()) state_.met = meetings_[thread->index].result;
    (*static_cast<GoOn*>(thread->frame))(thread->frame);
  }
  if (*static_cast<GoOn*>(thread->frame) == nullptr) return end_thread();
  thread->spins = state_.spins;
  ++state_.suspended;
}

void Worker::begin_yield() {
  count_ended();
  is_yielding_ = true;
  ready_.push_back(self_);
}

// As much for each, and not all at the same lines of the cache. At most what a stack has.
void* Worker::frame(std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{64} << 10;
  if (bytes > kMost) end(musaErrorLaunchFailure, kTooDeep);
  const std::size_t lines = (bytes + sizeof(Line) - 1) / sizeof(Line) | 1;
  if (frames_.size() < lines * state_.count) frames_.resize(lines * state_.count);
  return &frames_[lines * state_.index];
}

}  // namespace musa
