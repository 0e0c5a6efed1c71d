// Every range of memory the runtime handed out or was told of, in all devices together: addresses
// are unified.
#ifndef TORCHADA_HOST_MUSART_ALLOCATION_TABLE_H_
#define TORCHADA_HOST_MUSART_ALLOCATION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mapping.h"
#include "musa_runtime_api.h"

namespace musart {

class MemoryBlock;
class Pool;

enum class MemoryKind {
  kPageable,  // not ours: ordinary memory of the process
  kDevice,
  kPooled,        // device memory from a stream-ordered pool
  kImported,      // device memory of another process
  kPoolImported,  // the same, through a pool
  kArray,         // what an array consists of; programs do not learn the address
  kManaged,
  kPinned,      // allocated by us for the host
  kRegistered,  // the user's own, made known to us
};

struct Allocation {
  std::uintptr_t base = 0;
  std::size_t size = 0;         // what was asked for, and what accesses are checked against
  std::size_t mapped_size = 0;  // whole pages, and what is counted against the device's memory
  MemoryKind kind = MemoryKind::kPageable;
  int device = 0;
  unsigned int host_flags = 0;
  bool free_pending = false;  // given to musaFreeAsync: no later call may name it
  std::shared_ptr<Pool> pool;
  std::shared_ptr<MemoryBlock> graph_block;  // memory of a graph, which has no pool
  // Where other processes find it, if they can, and what they must know once it was exported.
  std::shared_ptr<SharedFile> file;
  std::uint64_t file_offset = 0;
  std::uint64_t secret = 0;
  // What it was imported by, and how often.
  std::string import_key;
  int open_count = 0;
  // Advice on managed memory, which a CPU has no use for but a program may read back.
  bool read_mostly = false;
  int preferred_location = musaInvalidDeviceId;
  int last_prefetch = musaInvalidDeviceId;
  std::vector<int> accessed_by;

  Mapping mapping() const { return {base, mapped_size, file, file_offset}; }
  bool contains(std::uintptr_t address) const { return address >= base && address - base < size; }
};

bool is_device_side(MemoryKind kind);  // on the device and nowhere else
bool is_host_side(MemoryKind kind);    // the host may name it in a copy
bool is_known(MemoryKind kind);        // the device may name it in a copy

class AllocationTable {
 public:
  void insert(const Allocation& allocation);
  // Takes out the allocation that starts at `address`, if `accept` agrees.
  template <typename Accept>
  std::optional<Allocation> take(const void* address, Accept&& accept) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(address));
    if (found == allocations_.end() || !accept(found->second)) return std::nullopt;
    std::optional<Allocation> taken(std::move(found->second));
    allocations_.erase(found);
    return taken;
  }
  // A copy of the allocation that contains `address`.
  std::optional<Allocation> find(const void* address) const;
  // Changes an allocation in place under the table's lock; false if none contains `address`.
  template <typename Change>
  bool update(const void* address, Change&& change) {
    const std::lock_guard lock(mutex_);
    Allocation* allocation = locate(reinterpret_cast<std::uintptr_t>(address));
    if (allocation == nullptr) return false;
    change(*allocation);
    return true;
  }
  // Whether [address, address + size) touches any allocation.
  bool overlaps(const void* address, std::size_t size) const;
  // Starts of all allocations that `accept` agrees to.
  template <typename Accept>
  std::vector<void*> list(Accept&& accept) const {
    const std::lock_guard lock(mutex_);
    std::vector<void*> bases;
    for (const auto& [base, allocation] : allocations_) {
      if (accept(allocation)) bases.push_back(reinterpret_cast<void*>(base));
    }
    return bases;
  }

  // From now on the range counts as freed, so that a late use is recognised. Its pages stay.
  void mark_freed(std::uintptr_t base, std::size_t mapped_size);
  // Makes a freed range inaccessible. Its addresses stay reserved for a while, so that they are not
  // mistaken for something else that was mapped there.
  void quarantine(std::uintptr_t base, std::size_t mapped_size);
  bool was_freed(const void* address) const;

 private:
  Allocation* locate(std::uintptr_t address);

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Allocation> allocations_;
  std::map<std::uintptr_t, std::size_t> freed_;
  std::vector<std::uintptr_t> freed_order_;
};

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_ALLOCATION_TABLE_H_
