// A pipe of bytes through memory, from one writer to one reader.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/host/mccl/futex_event.h"

namespace host_mccl {

// All data in a ring starts at a multiple of this, so no element crosses the end of the ring.
constexpr std::size_t kRingUnit = 64;

inline std::size_t in_units(std::size_t bytes) {
  return (bytes + kRingUnit - 1) / kRingUnit * kRingUnit;
}

// Lies in memory shared by writer and reader. Zero-filled memory is an empty ring.
struct RingMemory {
  alignas(64) std::atomic<std::uint64_t> written;
  alignas(64) std::atomic<std::uint64_t> read;
  alignas(64) std::byte bytes[kRingUnit];  // the first of `capacity` bytes
};

struct Bytes {
  std::byte* data;
  std::size_t size;
};

// One side's view of a ring.
//
// The writer tells the reader after a series of writes. A writer waits only when the ring is full,
// so the reader signals the writer's event only when the ring becomes half empty or empty.
class Ring {
 public:
  Ring() = default;
  Ring(RingMemory* memory, std::size_t capacity, FutexEvent* writer, FutexEvent* reader)
      : memory_(memory), capacity_(capacity), writer_(writer), reader_(reader) {}

  static std::size_t footprint(std::size_t capacity) {
    return offsetof(RingMemory, bytes) + capacity;
  }

  std::size_t capacity() const { return capacity_; }
  std::size_t filled() const {
    return memory_->written.load(std::memory_order_acquire) -
           memory_->read.load(std::memory_order_acquire);
  }
  std::size_t room() const { return capacity_ - filled(); }

  // The contiguous room up to the end of the memory.
  Bytes writable() const {
    const std::size_t at = memory_->written.load(std::memory_order_relaxed) % capacity_;
    return {memory_->bytes + at, std::min(room(), capacity_ - at)};
  }
  void wrote(std::size_t size) { memory_->written.fetch_add(size, std::memory_order_release); }
  void tell_reader() { reader_->signal(); }

  // The contiguous data that can be read, after skipping `skip` bytes.
  Bytes readable(std::size_t skip = 0) const {
    const std::size_t all = filled();
    const std::size_t at = (memory_->read.load(std::memory_order_relaxed) + skip) % capacity_;
    return {memory_->bytes + at, all < skip ? 0 : std::min(all - skip, capacity_ - at)};
  }
  void consumed(std::size_t size) {
    const std::size_t before = filled();
    memory_->read.fetch_add(size, std::memory_order_release);
    const std::size_t after = filled();
    const std::size_t half = capacity_ / 2;
    if ((before > half && after <= half) || after == 0) tell_writer();
  }
  // To call after a series of reads.
  void tell_writer() { writer_->signal(); }

 private:
  RingMemory* memory_ = nullptr;
  std::size_t capacity_ = 0;
  FutexEvent* writer_ = nullptr;
  FutexEvent* reader_ = nullptr;
};

// Both directions between this rank and another.
struct Channel {
  Ring out;
  Ring in;
};

// Collectives and point-to-point transfers use separate channels, so neither waits for the other.
enum ChannelKind { kCollective, kDirect, kChannelKinds };

}  // namespace host_mccl
