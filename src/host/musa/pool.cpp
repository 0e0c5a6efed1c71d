#include "src/host/musa/pool.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

// Reusing a kept block larger than this multiple of the request would waste more than it saves.
constexpr std::size_t kLargestExcess = 2;

std::vector<std::shared_ptr<Pool>> pools_of(int device) {
  return pool_handles().list([&](const Pool& pool) { return pool.device() == device; });
}

}  // namespace

PoolHandles& pool_handles() { return host::never_destroyed<PoolHandles>(); }

Mapping Pool::take(Device& device, std::size_t size) {
  const std::size_t wanted = round_to_pages(size);
  if (wanted == 0) return {};
  Mapping block;
  {
    const std::lock_guard lock(mutex_);
    const auto fitting = unused_.lower_bound(wanted);
    if (fitting != unused_.end() && fitting->first / kLargestExcess <= wanted) {
      block = fitting->second;
      unused_.erase(fitting);
    } else if (max_size_ != 0 && (wanted > max_size_ || reserved_ > max_size_ - wanted)) {
      return {};
    }
  }
  const bool is_new = block.base == 0;
  if (is_new) {
    block = map_pages(device, wanted, file_);
    if (block.base == 0) return {};
  }
  const std::lock_guard lock(mutex_);
  if (is_new) reserved_ += wanted;
  reserved_high_ = std::max(reserved_high_, reserved_);
  used_ += block.size;
  used_high_ = std::max(used_high_, used_);
  return block;
}

void Pool::recycle(Runtime& runtime, const Mapping& block) {
  {
    const std::lock_guard lock(mutex_);
    unused_.emplace(block.size, block);
    used_ -= block.size;
    if (!retired_) return;
  }
  shrink_to(runtime, 0);
}

void Pool::retire(Runtime& runtime) {
  {
    const std::lock_guard lock(mutex_);
    retired_ = true;
  }
  shrink_to(runtime, 0);
}

void Pool::shrink_to(Runtime& runtime, std::size_t bytes) {
  std::vector<Mapping> released;
  {
    const std::lock_guard lock(mutex_);
    while (reserved_ > bytes && !unused_.empty()) {
      const auto largest = std::prev(unused_.end());
      reserved_ -= largest->first;
      released.push_back(largest->second);
      unused_.erase(largest);
    }
  }
  for (const Mapping& block : released) unmap_pages(runtime, *runtime.device(device_), block);
}

void Pool::shrink_to_threshold(Runtime& runtime) {
  std::uint64_t threshold = 0;
  {
    const std::lock_guard lock(mutex_);
    if (unused_.empty()) return;
    threshold = threshold_;
  }
  shrink_to(runtime, threshold);
}

void Pool::restore_defaults() {
  const std::lock_guard lock(mutex_);
  threshold_ = 0;
  reserved_high_ = reserved_;
  used_high_ = used_;
  std::fill(std::begin(reuse_hints_), std::end(reuse_hints_), 1);
  access_.clear();
}

musaError_t Pool::get_attribute(musaMemPoolAttr attribute, void* value) {
  const std::lock_guard lock(mutex_);
  if (attribute < musaMemPoolReuseFollowEventDependencies ||
      attribute > musaMemPoolAttrUsedMemHigh) {
    return musaErrorInvalidValue;
  }
  if (attribute < musaMemPoolAttrReleaseThreshold) {
    *static_cast<int*>(value) = reuse_hints_[attribute - musaMemPoolReuseFollowEventDependencies];
    return musaSuccess;
  }
  // In the order of the attributes.
  const std::uint64_t values[] = {threshold_, reserved_, reserved_high_, used_, used_high_};
  *static_cast<std::uint64_t*>(value) = values[attribute - musaMemPoolAttrReleaseThreshold];
  return musaSuccess;
}

musaError_t Pool::set_attribute(musaMemPoolAttr attribute, const void* value) {
  const std::lock_guard lock(mutex_);
  const auto* const wide = static_cast<const std::uint64_t*>(value);
  switch (attribute) {
    case musaMemPoolReuseFollowEventDependencies:
    case musaMemPoolReuseAllowOpportunistic:
    case musaMemPoolReuseAllowInternalDependencies:
      reuse_hints_[attribute - musaMemPoolReuseFollowEventDependencies] =
          *static_cast<const int*>(value) != 0 ? 1 : 0;
      return musaSuccess;
    case musaMemPoolAttrReleaseThreshold:
      threshold_ = *wide;
      return musaSuccess;
    // The high marks can only be reset to zero.
    case musaMemPoolAttrReservedMemHigh:
      if (*wide != 0) return musaErrorInvalidValue;
      reserved_high_ = reserved_;
      return musaSuccess;
    case musaMemPoolAttrUsedMemHigh:
      if (*wide != 0) return musaErrorInvalidValue;
      used_high_ = used_;
      return musaSuccess;
    default:
      return musaErrorInvalidValue;
  }
}

musaMemAccessFlags Pool::access_from(int device) {
  if (device == device_) return musaMemAccessFlagsProtReadWrite;
  const std::lock_guard lock(mutex_);
  const auto found = access_.find(device);
  return found == access_.end() ? musaMemAccessFlagsProtNone : found->second;
}

void Pool::set_access_from(int device, musaMemAccessFlags flags) {
  const std::lock_guard lock(mutex_);
  access_[device] = flags;
}

std::shared_ptr<Pool> make_default_pool(int device) {
  auto pool = std::make_shared<Pool>(device, 0);
  pool_handles().insert(pool);
  return pool;
}

void reset_pools(Runtime& runtime, Device& device) {
  for (const auto& pool : pools_of(device.ordinal)) {
    if (pool == device.default_pool) {
      pool->shrink_to(runtime, 0);
      pool->restore_defaults();
    } else {
      pool_handles().remove(pool->handle);
      pool->retire(runtime);
    }
  }
}

void release_excess(int device) {
  for (const auto& pool : pools_of(device)) pool->shrink_to_threshold(Runtime::get());
}

void release_all_cached(int device) {
  for (const auto& pool : pools_of(device)) pool->shrink_to(Runtime::get(), 0);
}

bool retry_with_freed_addresses(int device) {
  release_all_cached(device);
  return Runtime::get().allocations.empty_quarantine();
}

Mapping map_uncounted(int device, std::size_t size, const std::shared_ptr<SharedFile>& file) {
  Mapping mapping = map_anywhere(size, file);
  if (mapping.base == 0 && retry_with_freed_addresses(device)) mapping = map_anywhere(size, file);
  return mapping;
}

Mapping map_pages(Device& device, std::size_t mapped_size,
                  const std::shared_ptr<SharedFile>& file) {
  if (mapped_size == 0 || mapped_size > device.memory) return {};
  if (!device.reserve_memory(mapped_size)) {
    release_all_cached(device.ordinal);
    if (!device.reserve_memory(mapped_size)) return {};
  }
  const Mapping mapping = map_uncounted(device.ordinal, mapped_size, file);
  if (mapping.base == 0) device.release_memory(mapped_size);
  return mapping;
}

}  // namespace musa
