#include "src/host/musa/allocation_table.h"

#include <sys/mman.h>

#include <iterator>

namespace musa {
namespace {

constexpr std::size_t kQuarantinedRanges = 128;

}  // namespace

bool is_device_side(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kPooled ||
         kind == MemoryKind::kImported || kind == MemoryKind::kPoolImported ||
         kind == MemoryKind::kArray || kind == MemoryKind::kVirtual;
}

bool is_host_side(MemoryKind kind) { return !is_device_side(kind); }

bool is_known(MemoryKind kind) { return kind != MemoryKind::kPageable; }

void AllocationTable::insert(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  Allocation& inserted = allocations_[allocation.base] = allocation;
  inserted.id = ++last_id_;
}

void AllocationTable::replace(std::uintptr_t base, std::size_t size,
                              const std::vector<Allocation>& by) {
  const std::lock_guard lock(mutex_);
  allocations_.erase(allocations_.lower_bound(base), allocations_.lower_bound(base + size));
  for (const Allocation& allocation : by) {
    Allocation& inserted = allocations_[allocation.base] = allocation;
    inserted.id = ++last_id_;
  }
}

Allocation* AllocationTable::locate(std::uintptr_t address) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  Allocation& candidate = std::prev(after)->second;
  return candidate.contains(address) ? &candidate : nullptr;
}

std::optional<Allocation> AllocationTable::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  const Allocation* found =
      const_cast<AllocationTable*>(this)->locate(reinterpret_cast<std::uintptr_t>(address));
  if (found == nullptr) return std::nullopt;
  return *found;
}

bool AllocationTable::overlaps(const void* address, std::size_t size) const {
  const std::lock_guard lock(mutex_);
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (const_cast<AllocationTable*>(this)->locate(first) != nullptr) return true;
  const auto next = allocations_.lower_bound(first);
  return next != allocations_.end() && next->first - first < size;
}

void AllocationTable::mark_freed(std::uintptr_t base, std::size_t mapped_size) {
  const std::lock_guard lock(mutex_);
  freed_[base] = mapped_size;
}

void AllocationTable::quarantine(std::uintptr_t base, std::size_t mapped_size) {
  // Mapping over the old pages frees them and keeps the addresses reserved in one step.
  void* reserved = mmap(reinterpret_cast<void*>(base), mapped_size, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (reserved == MAP_FAILED) {
    const std::lock_guard lock(mutex_);
    freed_.erase(base);
    munmap(reinterpret_cast<void*>(base), mapped_size);
    return;
  }
  const std::lock_guard lock(mutex_);
  freed_[base] = mapped_size;  // not every caller has marked it before
  freed_order_.push_back(base);
  if (freed_order_.size() > kQuarantinedRanges) {
    const auto oldest = freed_.find(freed_order_.front());
    munmap(reinterpret_cast<void*>(oldest->first), oldest->second);
    freed_.erase(oldest);
    freed_order_.erase(freed_order_.begin());
  }
}

bool AllocationTable::was_freed(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  const auto after = freed_.upper_bound(wanted);
  if (after == freed_.begin()) return false;
  const auto& [base, size] = *std::prev(after);
  return wanted - base < size;
}

}  // namespace musa
