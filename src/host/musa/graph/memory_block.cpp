#include "src/host/musa/graph/memory_block.h"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "src/host/musa/operations.h"
#include "src/host/musa/pool.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

struct Usage {
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  std::uint64_t reserved = 0;
  std::uint64_t reserved_high = 0;
};

// One lock for all blocks: changes are rare and short. A function that needs the memory gate too
// closes the gate before it takes this lock.
struct State {
  std::mutex mutex;
  std::map<int, Usage> usage;  // by device
};

State& state() { return host::never_destroyed<State>(); }

}  // namespace

std::shared_ptr<MemoryBlock> MemoryBlock::reserve(Runtime& runtime, int device, std::size_t size) {
  const std::size_t mapped_size = round_to_pages(size);
  if (mapped_size == 0) return nullptr;
  const auto reserve = [&] {
    return mmap(nullptr, mapped_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                0);
  };
  void* addresses = reserve();
  if (addresses == MAP_FAILED && retry_with_freed_addresses(device)) addresses = reserve();
  if (addresses == MAP_FAILED) return nullptr;
  auto block = std::make_shared<MemoryBlock>(
      runtime, device, reinterpret_cast<std::uintptr_t>(addresses), mapped_size);
  Allocation allocation;
  allocation.base = block->base_;
  allocation.size = size;
  allocation.mapped_size = mapped_size;
  allocation.kind = MemoryKind::kPooled;
  allocation.device = device;
  allocation.graph_block = block;
  allocation.live = std::shared_ptr<const std::atomic<bool>>(block, &block->live_);
  runtime.allocations.insert(allocation);
  return block;
}

bool MemoryBlock::begin_launch() {
  if (try_begin_launch()) return true;
  // This closes the memory gate, so it must run without the lock.
  release_all_cached(device_);
  return try_begin_launch();
}

bool MemoryBlock::try_begin_launch() {
  Device& device = *runtime_.device(device_);
  const std::lock_guard lock(state().mutex);
  if (gone_) return false;
  if (!has_pages_) {
    if (!device.reserve_memory(mapped_size_)) return false;
    if (mprotect(pointer(), mapped_size_, PROT_READ | PROT_WRITE) != 0) {
      device.release_memory(mapped_size_);
      return false;
    }
    has_pages_ = true;
    Usage& usage = state().usage[device_];
    usage.reserved += mapped_size_;
    usage.reserved_high = std::max(usage.reserved_high, usage.reserved);
  }
  ++launches_;
  return true;
}

void MemoryBlock::end_launch() {
  const auto closed = runtime_.gate.close();
  const std::lock_guard lock(state().mutex);
  --launches_;
  drop_if_unneeded();
}

bool MemoryBlock::is_allocated() {
  const std::lock_guard lock(state().mutex);
  return allocated_;
}

void MemoryBlock::set_allocated() {
  const std::lock_guard lock(state().mutex);
  allocated_ = true;
}

bool MemoryBlock::set_freed() {
  const std::lock_guard lock(state().mutex);
  return std::exchange(allocated_, false);
}

void MemoryBlock::become_live() {
  const std::lock_guard lock(state().mutex);
  if (gone_ || live_.exchange(true)) return;
  Usage& usage = state().usage[device_];
  usage.used += mapped_size_;
  usage.used_high = std::max(usage.used_high, usage.used);
}

void MemoryBlock::become_unused() {
  const auto closed = runtime_.gate.close();
  const std::lock_guard lock(state().mutex);
  if (live_.exchange(false)) state().usage[device_].used -= mapped_size_;
  drop_if_unneeded();
}

void MemoryBlock::abandon() {
  const auto closed = runtime_.gate.close();
  const std::lock_guard lock(state().mutex);
  abandoned_ = true;
  drop_if_unneeded();
}

void MemoryBlock::take_away() {
  const auto closed = runtime_.gate.close();
  const std::lock_guard lock(state().mutex);
  if (live_.exchange(false)) state().usage[device_].used -= mapped_size_;
  allocated_ = false;
  if (std::exchange(gone_, true)) return;
  give_pages_back();
  runtime_.allocations.quarantine(base_, mapped_size_);
}

void MemoryBlock::trim() {
  const auto closed = runtime_.gate.close();
  const std::lock_guard lock(state().mutex);
  if (!gone_ && !is_needed()) give_pages_back();
}

void MemoryBlock::drop_if_unneeded() {
  if (gone_ || !abandoned_ || is_needed()) return;
  gone_ = true;
  give_pages_back();
  const auto self = shared_from_this();  // the table's reference may be the last
  runtime_.allocations.take(pointer(), [](const Allocation&) { return true; });
  runtime_.allocations.quarantine(base_, mapped_size_);
}

void MemoryBlock::give_pages_back() {
  if (!std::exchange(has_pages_, false)) return;
  // If this fails the pages stay mapped, which does no harm.
  static_cast<void>(mmap(pointer(), mapped_size_, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  runtime_.device(device_)->release_memory(mapped_size_);
  state().usage[device_].reserved -= mapped_size_;
}

musaError_t free_block_in_stream(Runtime& runtime, const std::shared_ptr<MemoryBlock>& block,
                                 const std::shared_ptr<Stream>& stream) {
  if (!block->set_freed()) return musaErrorInvalidValue;
  runtime.device(stream->device())->submit(stream, [block] { block->become_unused(); });
  return musaSuccess;
}

musaError_t free_block_now(Runtime& runtime, const std::shared_ptr<MemoryBlock>& block) {
  if (!block->is_allocated()) return musaErrorInvalidValue;
  Device& device = *runtime.device(block->device());
  const musaError_t status = wait_all(device, device.pending_everywhere());
  if (status == musaErrorNotPermitted) return status;
  if (!block->set_freed()) return musaErrorInvalidValue;
  block->become_unused();
  return status;
}

musaError_t device_get_graph_mem_attribute(int device, enum musaGraphMemAttributeType attr,
                                           void* value) {
  return api([&](Runtime& runtime) {
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    if (value == nullptr) return musaErrorInvalidValue;
    if (attr < musaGraphMemAttrUsedMemCurrent || attr > musaGraphMemAttrReservedMemHigh) {
      return musaErrorInvalidValue;
    }
    const std::lock_guard lock(state().mutex);
    const Usage& usage = state().usage[device];
    // In the order of the attributes.
    const std::uint64_t values[] = {usage.used, usage.used_high, usage.reserved,
                                    usage.reserved_high};
    *static_cast<std::uint64_t*>(value) = values[attr];
    return musaSuccess;
  });
}

musaError_t device_set_graph_mem_attribute(int device, enum musaGraphMemAttributeType attr,
                                           void* value) {
  return api([&](Runtime& runtime) {
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    const bool is_used = attr == musaGraphMemAttrUsedMemHigh;
    if (!is_used && attr != musaGraphMemAttrReservedMemHigh) return musaErrorInvalidValue;
    // A high mark can only be reset to zero; it then rises to the present amount.
    if (value == nullptr || *static_cast<const std::uint64_t*>(value) != 0) {
      return musaErrorInvalidValue;
    }
    const std::lock_guard lock(state().mutex);
    Usage& usage = state().usage[device];
    (is_used ? usage.used_high : usage.reserved_high) = is_used ? usage.used : usage.reserved;
    return musaSuccess;
  });
}

musaError_t device_graph_mem_trim(int device) {
  return api([&](Runtime& runtime) {
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    const auto bases = runtime.allocations.list([&](const Allocation& allocation) {
      return allocation.graph_block != nullptr && allocation.device == device;
    });
    for (void* base : bases) {
      const auto found = runtime.allocations.find(base);
      if (found && found->graph_block != nullptr) found->graph_block->trim();
    }
    return musaSuccess;
  });
}

}  // namespace musa
