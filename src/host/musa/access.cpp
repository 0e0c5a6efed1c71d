// Work in a stream that uses memory which is not there.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/runtime.h"

namespace musa {
bool is_mapped(const void* start, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::array<unsigned char, 4096> resident{};
  const auto first = reinterpret_cast<std::uintptr_t>(start) / page * page;
  std::uintptr_t last = 0;
  if (__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(start), bytes - 1, &last)) {
    return false;
  }
  for (std::uintptr_t at = first; at <= last; at += resident.size() * page) {
    const std::size_t size = std::min(last - at + 1, resident.size() * page);
    // ENOMEM: a page is not mapped. A sandbox may refuse the question; then nobody knows, and the
    // program is believed.
    if (mincore(reinterpret_cast<void*>(at), size, resident.data()) != 0) return errno != ENOMEM;
    if (last - at < resident.size() * page) break;
  }
  return true;
}

bool may_use(const void* start, std::size_t bytes) noexcept {
  using Range = AllocationTable::Range;
  Runtime& runtime = Runtime::get();
  if (bytes == 0) return true;
  Device* const device = runtime.device(stream_thread_device());
  const Range range = runtime.allocations.examine(start, bytes, device ? device->ordinal : 0);
  if (range == Range::kUsable || (range == Range::kUnknown && is_mapped(start, bytes))) return true;
  if (device != nullptr) device->fault.store(musaErrorIllegalAddress);
  return false;
}

void work_found_no_memory() noexcept {
  Device* const device = Runtime::get().device(stream_thread_device());
  if (device != nullptr) device->fault.store(musaErrorMemoryAllocation);
}

}  // namespace musa
