// Every range of memory that the runtime allocated or was told about, on all devices together:
// addresses are unified.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "musa_runtime_api.h"
#include "src/host/musa/mapping.h"

namespace musa {

class MemoryBlock;
class PageAdvice;
class Pool;

enum class MemoryKind {
  kPageable,  // not ours: ordinary memory of the process
  kDevice,
  kPooled,        // device memory from a stream-ordered pool
  kImported,      // device memory of another process
  kPoolImported,  // device memory of another process, imported through a pool
  kArray,         // the memory of an array; programs do not learn the address
  kVirtual,       // device memory that the program mapped at addresses of its own
  kVariable,      // a variable of device code
  kManaged,
  kPinned,      // allocated by us for the host
  kRegistered,  // the user's own, registered with us
};

struct Allocation {
  std::uint64_t id = 0;  // never used twice; given by the table
  std::uintptr_t base = 0;
  std::size_t size = 0;         // the size asked for; accesses are checked against it
  std::size_t mapped_size = 0;  // whole pages; counted against the device's memory
  MemoryKind kind = MemoryKind::kPageable;
  int device = 0;
  unsigned int host_flags = 0;
  // Bits of the devices, by ordinal. Only memory that the program mapped excludes some.
  std::uint64_t readers = ~std::uint64_t{0};
  std::uint64_t writers = ~std::uint64_t{0};
  bool waits = false;         // a synchronous copy or fill of it waits, even within the device
  bool free_pending = false;  // passed to musaFreeAsync: no later call may use it
  std::shared_ptr<Pool> pool;
  std::shared_ptr<MemoryBlock> graph_block;  // set for memory of a graph, which has no pool
  // Whether memory of a graph is allocated now. Null for all other.
  std::shared_ptr<const std::atomic<bool>> live;
  // Where other processes find it, if they can, and the secret they need once it was exported.
  std::shared_ptr<SharedFile> file;
  std::uint64_t file_offset = 0;
  std::uint64_t secret = 0;
  bool was_exported = false;  // under an earlier secret
  // The key under which it was imported, and how often.
  std::string import_key;
  int open_count = 0;
  // Advice on managed memory; null until there is some. Used under the table's lock.
  std::shared_ptr<PageAdvice> advice;

  Mapping mapping() const {
    return {base, mapped_size, file, file_offset, was_exported || secret != 0};
  }
  bool is_live() const { return live == nullptr || live->load(); }
  bool contains(std::uintptr_t address) const { return address >= base && address - base < size; }
  bool allows(int user, bool writing) const {
    return ((writing ? writers : readers) >> user & 1) != 0;
  }
};

bool is_device_side(MemoryKind kind);  // on the device only
bool is_host_side(MemoryKind kind);    // a copy may name it as host memory
bool is_known(MemoryKind kind);        // a copy may name it as device memory

class AllocationTable {
 public:
  void insert(Allocation allocation);
  // Removes and returns the allocation that starts at `address`, if `accept` agrees.
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
  // Calls `use` with the allocation itself, under the table's lock; false if none contains
  // `address`.
  template <typename Use>
  bool with(const void* address, Use&& use) {
    const std::lock_guard lock(mutex_);
    Allocation* allocation = locate(reinterpret_cast<std::uintptr_t>(address));
    if (allocation == nullptr) return false;
    use(*allocation);
    return true;
  }
  // Calls `use` for what contains [address, address + size), under the table's lock: one
  // allocation, or neighbours that the program mapped, on any devices. False if nothing contains it
  // all.
  template <typename Use>
  bool with_range(const void* address, std::size_t size, Use&& use) const {
    const std::lock_guard lock(mutex_);
    auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const Allocation* each = locate(at); each != nullptr; each = locate(at)) {
      use(*each);
      const std::size_t left = each->size - (at - each->base);
      if (size <= left) return true;
      if (each->kind != MemoryKind::kVirtual) return false;
      size -= left;
      at += left;
    }
    return false;
  }
  // Whether [address, address + size) touches any allocation.
  bool overlaps(const void* address, std::size_t size) const;
  // What work of a device would find at [address, address + size).
  enum class Range { kUsable, kIllegal, kUnknown };
  Range examine(const void* address, std::size_t size, int device) const;
  // The start addresses of all allocations for which `accept` returns true.
  template <typename Accept>
  std::vector<void*> list(Accept&& accept) const {
    const std::lock_guard lock(mutex_);
    std::vector<void*> bases;
    for (const auto& [base, allocation] : allocations_) {
      if (accept(allocation)) bases.push_back(reinterpret_cast<void*>(base));
    }
    return bases;
  }

  // From now on the range counts as freed, so that late uses are recognised. Its pages stay. So
  // does a range that a program reserved, where nothing is mapped.
  void mark_freed(std::uintptr_t base, std::size_t mapped_size);
  // The addresses are given back to the system.
  void forget_freed(std::uintptr_t base);
  // Makes a freed range inaccessible. Its addresses stay reserved for a while, so that nothing else
  // is mapped there and mistaken for it. Of a large range this holds for the first part only.
  // `reusable`: the pages are empty, and no other process has mapped them.
  void quarantine(std::uintptr_t base, std::size_t mapped_size, bool reusable = true);
  // Gives all reserved addresses back; false if there were none.
  bool empty_quarantine();
  // Also true where small pieces of memory lie and none is allocated.
  bool was_freed(const void* address) const;

 private:
  struct Quarantined {
    std::uintptr_t base;
    std::size_t size;
    bool reusable;
  };

  const Allocation* locate(std::uintptr_t address) const;
  Allocation* locate(std::uintptr_t address) {
    return const_cast<Allocation*>(std::as_const(*this).locate(address));
  }
  // Needs the lock.
  void give_back_oldest();

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Allocation> allocations_;
  std::map<std::uintptr_t, std::size_t> freed_;
  std::deque<Quarantined> quarantine_;  // oldest first
  std::size_t quarantined_bytes_ = 0;
  std::uint64_t last_id_ = 0;
};

}  // namespace musa
