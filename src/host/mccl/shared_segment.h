#pragma once

#include <cstddef>

#include "ring.h"

namespace host_mccl {

// The memory that the ranks of one host share: a doorbell for each, and rings between any two.
// Nothing with a name, so nothing to clean up after a crash.
class SharedSegment {
 public:
  SharedSegment() = default;
  ~SharedSegment();
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  // A descriptor of new memory for `ranks` ranks, or -1 with errno.
  static int create(int ranks);
  // Maps it; the descriptor can be closed. False with errno.
  bool open(int descriptor, int ranks);

  Doorbell& bell(int rank) const;
  // From one rank to another; the two are different.
  Ring ring(ChannelKind kind, int from, int to) const;

 private:
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  int ranks_ = 0;
};

// How much rings hold: with many ranks on a host there are many rings.
std::size_t ring_capacity(ChannelKind kind, int ranks);

}  // namespace host_mccl
