#include "src/host/musa/allocation_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/host/musa/page_runs.h"

namespace musa {
namespace {

constexpr std::size_t kQuarantinedRanges = 128;
constexpr std::size_t kQuarantinedBytes = std::size_t{64} << 20;

}  // namespace

bool is_device_side(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kPooled ||
         kind == MemoryKind::kImported || kind == MemoryKind::kPoolImported ||
         kind == MemoryKind::kArray || kind == MemoryKind::kVirtual ||
         kind == MemoryKind::kVariable;
}

bool is_host_side(MemoryKind kind) { return !is_device_side(kind); }

bool is_known(MemoryKind kind) { return kind != MemoryKind::kPageable; }

void AllocationTable::insert(Allocation allocation) {
  const std::lock_guard lock(mutex_);
  allocation.id = ++last_id_;
  const std::uintptr_t base = allocation.base;
  allocations_.insert_or_assign(base, std::move(allocation));
}

const Allocation* AllocationTable::locate(std::uintptr_t address) const {
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  return candidate.contains(address) ? &candidate : nullptr;
}

std::optional<Allocation> AllocationTable::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  const Allocation* found = locate(reinterpret_cast<std::uintptr_t>(address));
  if (found == nullptr) return std::nullopt;
  return *found;
}

bool AllocationTable::overlaps(const void* address, std::size_t size) const {
  const std::lock_guard lock(mutex_);
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (locate(first) != nullptr) return true;
  const auto next = allocations_.lower_bound(first);
  return next != allocations_.end() && next->first - first < size;
}

AllocationTable::Range AllocationTable::examine(const void* address, std::size_t size,
                                                int device) const {
  bool usable = true;
  auto kind = MemoryKind::kPageable;
  const bool whole = with_range(address, size, [&](const Allocation& found) {
    usable = usable && found.is_live() && found.allows(device, false);
    kind = found.kind;
  });
  if (whole && usable) return Range::kUsable;
  // The program's own memory goes on after the part that it registered.
  if (kind == MemoryKind::kRegistered) return Range::kUnknown;
  return was_freed(address) || overlaps(address, size) ? Range::kIllegal : Range::kUnknown;
}

void AllocationTable::mark_freed(std::uintptr_t base, std::size_t mapped_size) {
  const std::lock_guard lock(mutex_);
  freed_[base] = mapped_size;
}

void AllocationTable::forget_freed(std::uintptr_t base) {
  const std::lock_guard lock(mutex_);
  freed_.erase(base);
}

void AllocationTable::give_back_oldest() {
  const Quarantined oldest = quarantine_.front();
  quarantine_.pop_front();
  quarantined_bytes_ -= oldest.size;
  freed_.erase(oldest.base);
  if (page_runs().contains(oldest.base)) {
    page_runs().give_back(oldest.base, oldest.size, oldest.reusable);
  } else {
    munmap(reinterpret_cast<void*>(oldest.base), oldest.size);
  }
}

void AllocationTable::quarantine(std::uintptr_t base, std::size_t mapped_size, bool reusable) {
  const bool shares_mapping = page_runs().contains(base);
  const std::size_t size = std::min(mapped_size, kQuarantinedBytes);
  if (size < mapped_size) munmap(reinterpret_cast<void*>(base + size), mapped_size - size);
  // Mapping over the old pages frees them and keeps the addresses reserved in one step.
  const bool closed = shares_mapping ? page_runs().close(base, size)
                                     : mmap(reinterpret_cast<void*>(base), size, PROT_NONE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                                            -1, 0) != MAP_FAILED;
  const std::lock_guard lock(mutex_);
  freed_[base] = size;  // not every caller has marked it before
  quarantined_bytes_ += size;
  if (closed) {
    quarantine_.push_back({base, size, reusable});
  } else {
    quarantine_.push_front({base, size, false});
    give_back_oldest();
  }
  while (quarantine_.size() > kQuarantinedRanges || quarantined_bytes_ > kQuarantinedBytes) {
    give_back_oldest();
  }
}

bool AllocationTable::empty_quarantine() {
  const std::lock_guard lock(mutex_);
  if (quarantine_.empty()) return false;
  while (!quarantine_.empty()) give_back_oldest();
  return true;
}

bool AllocationTable::was_freed(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  if (page_runs().contains(wanted)) return true;
  const auto after = freed_.upper_bound(wanted);
  if (after == freed_.begin()) return false;
  const auto& [base, size] = *std::prev(after);
  return wanted - base < size;
}

}  // namespace musa
