#include "stubs/system/kept_rooms.h"

#include <stdint.h>
#include <sys/mman.h>

#include <atomic>

namespace torchada {
namespace {

constexpr uint32_t kKept = 4;  // As many paths as one thread needs at a time.
constexpr size_t kKeptBytes = kKept * kRoomBytes;

std::atomic<char*> kept{nullptr};
// One bit for each room. What another thread had taken when the process was forked is lost to the
// child.
std::atomic<uint32_t> taken{0};

char* map(size_t bytes) {
  void* const start =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<char*>(start);
}

// Threads that race here agree on one mapping. Null if there is no memory.
char* kept_rooms() {
  char* known = kept.load(std::memory_order_acquire);
  if (known) return known;
  char* const own = map(kKeptBytes);
  if (!own || kept.compare_exchange_strong(known, own, std::memory_order_acq_rel)) return own;
  munmap(own, kKeptBytes);
  return known;
}

}  // namespace

char* take_room() {
  char* const rooms = kept_rooms();
  uint32_t seen = taken.load(std::memory_order_relaxed);
  while (rooms) {
    const auto number = static_cast<uint32_t>(__builtin_ctz(~seen));
    if (number >= kKept) break;
    if (taken.compare_exchange_weak(seen, seen | 1u << number, std::memory_order_acquire)) {
      return rooms + number * kRoomBytes;
    }
  }
  return map(kRoomBytes);
}

void give_back_room(char* room) {
  if (!room) return;
  char* const rooms = kept.load(std::memory_order_acquire);
  const uintptr_t offset = reinterpret_cast<uintptr_t>(room) - reinterpret_cast<uintptr_t>(rooms);
  if (rooms && offset < kKeptBytes) {
    taken.fetch_and(~(1u << offset / kRoomBytes), std::memory_order_release);
  } else {
    munmap(room, kRoomBytes);
  }
}

}  // namespace torchada
