#pragma once

#include <cstddef>

#include "src/host/mccl/ring.h"

namespace host_mccl {

// The memory shared by the ranks: an event for each, and rings between any two. It
// has no name, so a crash leaves nothing to clean up.
class SharedSegment {
 public:
  SharedSegment() = default;
  ~SharedSegment();
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  // A descriptor of new memory for `ranks` ranks, or -1 and errno.
  static int create(int ranks);
  // Maps the memory. The caller may close the descriptor. Returns false and sets errno on failure.
  bool open(int descriptor, int ranks);

  FutexEvent& event(int rank) const;
  // The ring from one rank to a different one.
  Ring ring(ChannelKind kind, int from, int to) const;

 private:
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  int ranks_ = 0;
};

// The bytes that a ring holds. More ranks mean more rings, so each is smaller.
std::size_t ring_capacity(ChannelKind kind, int ranks);

}  // namespace host_mccl
