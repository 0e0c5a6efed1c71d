// Threads that have frames instead of stacks (translate/frames.cpp). One fiber runs all of a block.
#include <algorithm>
#include <utility>

#include "src/host/kernels/engine/worker.h"

namespace musa {
namespace {

// Of eight lanes from `first` on. A product brings the lanes' bits side by side.
void add_votes(const std::uint64_t* values, unsigned int first,
               std::array<std::uint32_t, TORCHADA_MOST_VOTES>* votes) {
  std::uint64_t bytes = 0;
  for (unsigned int i = 0; i < 8; ++i) bytes |= (values[i] & 0xff) << 8 * i;
  for (std::uint32_t& vote : *votes) {
    const std::uint64_t bits = (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
    vote |= static_cast<std::uint32_t>(bits << first);
    bytes >>= 1;
  }
}

}  // namespace

// Once for a grid: the blocks are alike.
void Worker::name_threads() {
  framed_.resize(state_.count);
  bit_votes_.resize(state_.count);
  torchada_xyz at{};
  for (unsigned int i = 0; i < state_.count; ++i) {
    framed_[i].index = i;
    framed_[i].thread = at;
    torchada_advance(&at, &state_.block_dim);
  }
}

inline bool Worker::run_frame(Begun* thread, std::uint64_t met) {
  using GoOn = void (*)(void*);
  self_ = thread;
  state_.thread = thread->thread;
  state_.index = thread->index;
  state_.spins = thread->spins;
  if (thread->frame == nullptr) {
    thread->frame = grid_->kernel->start(&state_, grid_->arguments);
  } else {
    state_.counted = counted_;
    state_.met = met;
    state_.votes = bit_votes_[thread->index].data();
    (*static_cast<GoOn*>(thread->frame))(thread->frame);
  }
  if (*static_cast<GoOn*>(thread->frame) == nullptr) {
    end_thread();
    return false;
  }
  count_ended();
  thread->spins = state_.spins;
  ++state_.suspended;
  return true;
}

void Worker::run_frames() {
  is_yielding_ = false;
  const bool has_rounds = grid_->image->warp_size <= 32;
  while (true) {
    const bool begins = state_.begun < state_.count && (ready_.empty() || is_yielding_);
    const bool yields = std::exchange(is_yielding_, false);
    if (begins && has_rounds && !yields && state_.begun == first_of_warp(state_.begun)) {
      run_warp(state_.begun, true);
    } else if (begins) {
      begin_frame(state_.begun);
    } else if (has_rounds && is_warp_ready()) {
      const unsigned int first = ready_.front()->index;
      ready_.erase(ready_.begin(), ready_.begin() + (end_of_warp(first) - first));
      run_warp(first, false);
    } else if (!ready_.empty()) {
      Begun* const thread = ready_.front();
      ready_.pop_front();
      --state_.suspended;
      run_frame(thread, meetings_[thread->index].result);
    } else if (state_.suspended == 0) {
      return;
    } else if (!release_active()) {
      end(musaErrorLaunchFailure, kNeverReached);
    }
  }
}

bool Worker::begin_frame(unsigned int index) {
  ++state_.begun;
  framed_[index].frame = nullptr;
  framed_[index].spins = 0;
  return run_frame(&framed_[index], 0);
}

// Whether all threads of a warp come next.
bool Worker::is_warp_ready() const {
  if (ready_.empty()) return false;
  const unsigned int first = ready_.front()->index;
  const unsigned int lanes = end_of_warp(first) - first;
  if (first != first_of_warp(first) || ready_.size() < lanes) return false;
  for (unsigned int i = 1; i < lanes; ++i) {
    if (ready_[i]->index != first + i) return false;
  }
  return true;
}

void Worker::run_warp(unsigned int first, bool begins) {
  // Then the other warps have their turn.
  constexpr int kMostRounds = 64;
  round_.first = first;
  round_.lanes = ~0u >> (32 - (end_of_warp(first) - first));
  for (unsigned int lane = 0; !begins && first + lane < end_of_warp(first); ++lane) {
    met_[lane] = meetings_[first + lane].result;
  }
  state_.round = &round_;
  bool together = run_round(begins);
  for (int rounds = 1; together && rounds < kMostRounds; ++rounds) {
    finish_round();
    together = run_round(false);
  }
  state_.round = nullptr;
  if (together) finish_round();
  for (unsigned int lane = 0; lane < 32; ++lane) {
    if ((round_.waiting >> lane & 1) == 0) continue;
    self_ = &framed_[first + lane];
    state_.index = first + lane;
    if (together) {
      meetings_[first + lane].result = met_[lane];
      ready_.push_back(self_);
    } else {
      begin_meet(
          {round_.meeting, round_.mask, round_.values[lane], round_.arguments[lane], nullptr, 0});
    }
  }
}

// Whether all threads of the warp that have not ended are at one meeting then.
bool Worker::run_round(bool begins) {
  round_.waiting = 0;
  for (unsigned int lane = 0; lane < 32; ++lane) {
    const std::uint32_t bit = 1u << lane;
    if ((round_.lanes & bit) == 0) continue;
    if (!begins) --state_.suspended;
    const unsigned int index = round_.first + lane;
    const bool waits = begins ? begin_frame(index) : run_frame(&framed_[index], met_[lane]);
    if (!waits) round_.lanes &= ~bit;
  }
  return round_.waiting != 0 && round_.waiting == round_.lanes;
}

// The results of the meeting.
void Worker::finish_round() {
  const auto is_in = [&](unsigned int lane) {
    return lane < 32 && (round_.lanes >> lane & 1) != 0;
  };
  std::fill_n(met_, 32, 0);
  if (round_.meeting == TORCHADA_MEET_VOTE) {
    std::uint32_t votes = 0;
    for (unsigned int lane = 0; lane < 32; ++lane) {
      votes |= std::uint32_t{round_.values[lane] != 0} << lane;
    }
    std::fill_n(met_, 32, votes & round_.lanes);
  } else if (round_.meeting == TORCHADA_MEET_VOTES) {
    Votes votes{};
    for (unsigned int lane = 0; lane < 32; lane += 8) {
      add_votes(round_.values + lane, lane, &votes);
    }
    for (std::uint32_t& vote : votes) vote &= round_.lanes;
    std::fill_n(&bit_votes_[round_.first], end_of_warp(round_.first) - round_.first, votes);
  } else if (round_.meeting == TORCHADA_MEET_READ) {
    for (unsigned int lane = 0; lane < 32; ++lane) {
      const unsigned int from = round_.arguments[lane];
      met_[lane] = round_.values[is_in(from) ? from : lane];
    }
  } else if (round_.meeting == TORCHADA_MEET_MATCH) {
    for (unsigned int lane = 0; lane < 32; ++lane) {
      for (unsigned int other = 0; other < 32; ++other) {
        const bool same = is_in(other) && round_.values[other] == round_.values[lane];
        met_[lane] |= std::uint64_t{same} << other;
      }
    }
  }
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
