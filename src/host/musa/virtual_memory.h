// Virtual memory management: addresses that a program reserves, memory that it creates, and the
// mappings of the one at the other. The same memory mapped twice is the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "musa.h"
#include "src/host/musa/exported_file.h"
#include "src/host/musa/runtime.h"
#include "src/host/shared/handle_table.h"

namespace musa {

// Memory without an address. Given back when neither a handle nor a mapping is left.
class PhysicalMemory {
 public:
  // Null if the device's memory or the system's does not suffice.
  static std::shared_ptr<PhysicalMemory> create(Device& device, std::size_t size, bool exportable);
  // Of another process, which counts it.
  static std::shared_ptr<PhysicalMemory> imported(Device& device,
                                                  std::shared_ptr<ExportedFile> file);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  Device& device() const { return device_; }
  std::size_t size() const { return size_; }
  // Null unless it can be exported.
  const std::shared_ptr<ExportedFile>& file() const { return file_; }
  // Maps its first bytes over pages that are reserved. Nothing may touch them yet.
  bool map_at(std::uintptr_t address, std::size_t size) const;

 private:
  PhysicalMemory(Device& device, std::size_t size) : device_(device), size_(size) {}

  Device& device_;
  const std::size_t size_;
  bool counted_ = false;
  std::shared_ptr<ExportedFile> file_;
  // Memory that is not exported lies in the process's file: it takes no descriptor of its own.
  std::shared_ptr<SharedFile> shared_;
  std::uint64_t offset_ = 0;
};

class VirtualMemory {
 public:
  using Handle = MUmemGenericAllocationHandle;
  // All sizes and addresses are multiples of this.
  static constexpr std::size_t kGranularity = std::size_t{64} << 10;

  musaError_t reserve(Runtime& runtime, std::size_t size, std::size_t alignment,
                      std::uintptr_t wanted, std::uintptr_t* address);
  musaError_t free(Runtime& runtime, std::uintptr_t address, std::size_t size);
  // The reserved range that contains the address; false if none does.
  bool reserved_range(std::uintptr_t address, std::uintptr_t* base, std::size_t* size);

  Handle add(std::shared_ptr<PhysicalMemory> memory);
  std::shared_ptr<PhysicalMemory> find(Handle handle);
  musaError_t release(Handle handle);
  // A handle for the memory that is mapped at the address.
  musaError_t retain(std::uintptr_t address, Handle* handle);

  // No device has access yet.
  musaError_t map(Runtime& runtime, std::uintptr_t address, std::size_t size, Handle handle);
  // Waits for the work of all devices first.
  musaError_t unmap(Runtime& runtime, std::uintptr_t address, std::size_t size);
  musaError_t set_access(Runtime& runtime, std::uintptr_t address, std::size_t size,
                         const MUmemAccessDesc* descriptions, std::size_t count);
  static musaError_t get_access(Runtime& runtime, std::uintptr_t address, int device,
                                MUmemAccess_flags* flags);
  // As bits; 0 for any other memory.
  unsigned long long allowed_handle_types(std::uintptr_t address);

 private:
  // The table of allocations has one entry for each, which says who has access.
  struct Mapped {
    std::size_t size = 0;
    std::shared_ptr<PhysicalMemory> memory;
  };
  struct Reservation {
    std::size_t size = 0;
    std::map<std::uintptr_t, Mapped> mapped;
  };
  struct Named {
    std::shared_ptr<PhysicalMemory> memory;
    unsigned int references = 0;
  };
  using Mappings = std::map<std::uintptr_t, Mapped>::iterator;

  // Need the lock.
  Reservation* reservation_of(std::uintptr_t address, std::size_t size);
  Mapped* mapped_at(std::uintptr_t address);
  // The mappings that fill the range exactly; false if there are none.
  static bool exact_mappings(Reservation& reservation, std::uintptr_t address, std::size_t size,
                             Mappings* first, Mappings* last);

  std::mutex mutex_;
  std::map<std::uintptr_t, Reservation> reservations_;
  std::unordered_map<Handle, Named> handles_;
  host::HandleNumbers<host::HandleKind::kPhysicalMemory> numbers_;
};

VirtualMemory& virtual_memory();

}  // namespace musa
