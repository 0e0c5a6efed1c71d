#include "src/host/mccl/shared_segment.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "src/host/shared/own_descriptor.h"

namespace host_mccl {
namespace {

std::size_t footprint(int ranks) {
  const auto pairs = static_cast<std::size_t>(ranks) * ranks;
  return ranks * sizeof(FutexEvent) + pairs * (Ring::footprint(ring_capacity(kCollective, ranks)) +
                                               Ring::footprint(ring_capacity(kDirect, ranks)));
}

}  // namespace

std::size_t ring_capacity(ChannelKind kind, int ranks) {
  const std::size_t most = kind == kCollective ? std::size_t{2} << 20 : std::size_t{256} << 10;
  if (ranks <= 4) return most;
  if (ranks <= 8) return most / 4;
  return ranks <= 32 ? most / 16 : most / 64;
}

int SharedSegment::create(int ranks) {
  const int descriptor = host::above_standard(memfd_create("mccl", MFD_CLOEXEC));
  if (descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(footprint(ranks))) != 0) {
    const int error = errno;
    close(descriptor);
    errno = error;
    return -1;
  }
  return descriptor;
}

bool SharedSegment::open(int descriptor, int ranks) {
  const std::size_t size = footprint(ranks);
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return false;
  memory_ = static_cast<std::byte*>(mapped);
  size_ = size;
  ranks_ = ranks;
  return true;
}

SharedSegment::~SharedSegment() {
  if (memory_ != nullptr) munmap(memory_, size_);
}

FutexEvent& SharedSegment::event(int rank) const {
  return *reinterpret_cast<FutexEvent*>(memory_ + rank * sizeof(FutexEvent));
}

Ring SharedSegment::ring(ChannelKind kind, int from, int to) const {
  const std::size_t capacity = ring_capacity(kind, ranks_);
  const std::size_t pair = static_cast<std::size_t>(from) * ranks_ + to;
  std::size_t offset = ranks_ * sizeof(FutexEvent) + pair * Ring::footprint(capacity);
  if (kind == kDirect) {
    const auto pairs = static_cast<std::size_t>(ranks_) * ranks_;
    offset += pairs * Ring::footprint(ring_capacity(kCollective, ranks_));
  }
  auto* const memory = reinterpret_cast<RingMemory*>(memory_ + offset);
  return {memory, capacity, &event(from), &event(to)};
}

}  // namespace host_mccl
