#include "src/host/musa/virtual_memory.h"

#include <sys/mman.h>

#include <iterator>
#include <utility>
#include <vector>

#include "src/host/musa/memory.h"
#include "src/host/musa/pool.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

bool is_whole(std::size_t size) { return size != 0 && size % VirtualMemory::kGranularity == 0; }

void* reserve_pages(std::uintptr_t wanted, std::size_t size) {
  void* pages = mmap(reinterpret_cast<void*>(wanted), size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

// Makes the pages empty and untouchable, and keeps their addresses.
bool empty_pages(std::uintptr_t address, std::size_t size) {
  return mmap(reinterpret_cast<void*>(address), size, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

// All devices of a process share its pages: each reaches what one of them does.
bool allow(std::uintptr_t address, std::size_t size, bool accessible) {
  return mprotect(reinterpret_cast<void*>(address), size,
                  accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

musaError_t check_access(Runtime& runtime, const MUmemAccessDesc& access) {
  if (access.location.type != MU_MEM_LOCATION_TYPE_DEVICE ||
      (access.flags != MU_MEM_ACCESS_FLAGS_PROT_NONE &&
       access.flags != MU_MEM_ACCESS_FLAGS_PROT_READ &&
       access.flags != MU_MEM_ACCESS_FLAGS_PROT_READWRITE)) {
    return musaErrorInvalidValue;
  }
  return runtime.device(access.location.id) != nullptr ? musaSuccess : musaErrorInvalidDevice;
}

// Of ranges by their addresses, the one that contains the address.
template <typename Ranges>
auto containing(Ranges& ranges, std::uintptr_t address) {
  const auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return ranges.end();
  const auto found = std::prev(after);
  return address - found->first < found->second.size ? found : ranges.end();
}

void set_bit(std::uint64_t* bits, int device, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << device;
  *bits = value ? *bits | bit : *bits & ~bit;
}

}  // namespace

std::shared_ptr<PhysicalMemory> PhysicalMemory::create(Device& device, std::size_t size,
                                                       bool exportable) {
  if (size > device.memory) return nullptr;
  if (!device.reserve_memory(size)) {
    release_all_cached(device.ordinal);
    if (!device.reserve_memory(size)) return nullptr;
  }
  std::shared_ptr<PhysicalMemory> memory(new PhysicalMemory(device, size));
  memory->counted_ = true;
  if (exportable) {
    memory->file_ = ExportedFile::create(size, device.physical_index);
    return memory->file_ != nullptr ? memory : nullptr;
  }
  auto file = process_file();
  if (file == nullptr || !file->add_range(size, &memory->offset_)) return nullptr;
  memory->shared_ = std::move(file);
  return memory;
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::imported(Device& device,
                                                         std::shared_ptr<ExportedFile> file) {
  std::shared_ptr<PhysicalMemory> memory(new PhysicalMemory(device, file->size()));
  memory->file_ = std::move(file);
  return memory;
}

PhysicalMemory::~PhysicalMemory() {
  if (shared_ != nullptr) shared_->release(offset_, size_);
  if (counted_) device_.release_memory(size_);
}

bool PhysicalMemory::map_at(std::uintptr_t address, std::size_t size) const {
  if (shared_ != nullptr && !shared_->is_intact()) return false;
  const int descriptor = shared_ != nullptr ? shared_->descriptor() : file_->descriptor();
  return mmap(reinterpret_cast<void*>(address), size, PROT_NONE, MAP_SHARED | MAP_FIXED, descriptor,
              static_cast<off_t>(offset_)) != MAP_FAILED;
}

musaError_t VirtualMemory::reserve(Runtime& runtime, std::size_t size, std::size_t alignment,
                                   std::uintptr_t wanted, std::uintptr_t* address) {
  if (!is_whole(size) || (alignment & (alignment - 1)) != 0) return musaErrorInvalidValue;
  const std::size_t aligned = alignment > kGranularity ? alignment : kGranularity;
  if (size > SIZE_MAX - aligned) return musaErrorMemoryAllocation;
  // What lies before and after an aligned range is returned.
  void* pages = reserve_pages(wanted, size + aligned);
  if (pages == nullptr && retry_with_freed_addresses(runtime.current_ordinal())) {
    pages = reserve_pages(wanted, size + aligned);
  }
  if (pages == nullptr) return musaErrorMemoryAllocation;
  const auto start = reinterpret_cast<std::uintptr_t>(pages);
  const std::uintptr_t base = (start + aligned - 1) / aligned * aligned;
  if (base != start) munmap(pages, base - start);
  munmap(reinterpret_cast<void*>(base + size), start + aligned - base);
  const std::lock_guard lock(mutex_);
  reservations_[base].size = size;
  runtime.allocations.mark_freed(base, size);
  *address = base;
  return musaSuccess;
}

musaError_t VirtualMemory::free(Runtime& runtime, std::uintptr_t address, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || found->second.size != size || !found->second.mapped.empty()) {
    return musaErrorInvalidValue;
  }
  reservations_.erase(found);
  runtime.allocations.forget_freed(address);
  munmap(reinterpret_cast<void*>(address), size);
  return musaSuccess;
}

bool VirtualMemory::reserved_range(std::uintptr_t address, std::uintptr_t* base,
                                   std::size_t* size) {
  const std::lock_guard lock(mutex_);
  const auto found = containing(reservations_, address);
  if (found == reservations_.end()) return false;
  *base = found->first;
  *size = found->second.size;
  return true;
}

VirtualMemory::Handle VirtualMemory::add(std::shared_ptr<PhysicalMemory> memory) {
  const std::lock_guard lock(mutex_);
  const Handle handle = numbers_.next();
  handles_[handle] = {std::move(memory), 1};
  return handle;
}

std::shared_ptr<PhysicalMemory> VirtualMemory::find(Handle handle) {
  const std::lock_guard lock(mutex_);
  const auto found = handles_.find(handle);
  return found == handles_.end() ? nullptr : found->second.memory;
}

musaError_t VirtualMemory::release(Handle handle) {
  std::shared_ptr<PhysicalMemory> last;  // given back after the lock
  const std::lock_guard lock(mutex_);
  const auto found = handles_.find(handle);
  if (found == handles_.end()) return musaErrorInvalidValue;
  if (--found->second.references > 0) return musaSuccess;
  last = std::move(found->second.memory);
  handles_.erase(found);
  return musaSuccess;
}

musaError_t VirtualMemory::retain(std::uintptr_t address, Handle* handle) {
  const std::lock_guard lock(mutex_);
  const Mapped* mapped = mapped_at(address);
  if (mapped == nullptr) return musaErrorInvalidValue;
  for (auto& [known, named] : handles_) {
    if (named.memory != mapped->memory) continue;
    ++named.references;
    *handle = known;
    return musaSuccess;
  }
  *handle = numbers_.next();
  handles_[*handle] = {mapped->memory, 1};
  return musaSuccess;
}

VirtualMemory::Reservation* VirtualMemory::reservation_of(std::uintptr_t address,
                                                          std::size_t size) {
  const auto found = containing(reservations_, address);
  if (found == reservations_.end() || !is_whole(size) || address % kGranularity != 0) {
    return nullptr;
  }
  auto& [start, reservation] = *found;
  return size <= reservation.size - (address - start) ? &reservation : nullptr;
}

VirtualMemory::Mapped* VirtualMemory::mapped_at(std::uintptr_t address) {
  const auto reserved = containing(reservations_, address);
  if (reserved == reservations_.end()) return nullptr;
  const auto found = containing(reserved->second.mapped, address);
  return found == reserved->second.mapped.end() ? nullptr : &found->second;
}

bool VirtualMemory::exact_mappings(Reservation& reservation, std::uintptr_t address,
                                   std::size_t size, Mappings* first, Mappings* last) {
  *first = reservation.mapped.find(address);
  std::uintptr_t end = address;
  Mappings each = *first;
  while (each != reservation.mapped.end() && each->first == end && end - address < size) {
    end += each->second.size;
    ++each;
  }
  *last = each;
  return end - address == size;
}

musaError_t VirtualMemory::map(Runtime& runtime, std::uintptr_t address, std::size_t size,
                               Handle handle) {
  const std::lock_guard lock(mutex_);
  const auto named = handles_.find(handle);
  Reservation* reservation = reservation_of(address, size);
  if (named == handles_.end() || reservation == nullptr || size > named->second.memory->size()) {
    return musaErrorInvalidValue;
  }
  const auto next = reservation->mapped.lower_bound(address);
  const bool taken = mapped_at(address) != nullptr ||
                     (next != reservation->mapped.end() && next->first - address < size);
  if (taken) return musaErrorInvalidValue;
  if (!named->second.memory->map_at(address, size)) return musaErrorMemoryAllocation;
  reservation->mapped[address] = {size, named->second.memory};
  Allocation allocation;
  allocation.base = address;
  allocation.size = size;
  allocation.mapped_size = size;
  allocation.kind = MemoryKind::kVirtual;
  allocation.device = named->second.memory->device().ordinal;
  allocation.readers = 0;
  allocation.writers = 0;
  runtime.allocations.insert(std::move(allocation));
  return musaSuccess;
}

musaError_t VirtualMemory::unmap(Runtime& runtime, std::uintptr_t address, std::size_t size) {
  for (const auto& device : runtime.devices) {
    const musaError_t status = wait_all(*device, device->pending_everywhere());
    if (status == musaErrorNotPermitted) return status;
  }
  std::vector<std::shared_ptr<PhysicalMemory>> unused;  // given back after the locks
  const auto closed = runtime.gate.close();
  const std::lock_guard lock(mutex_);
  Reservation* reservation = reservation_of(address, size);
  Mappings first;
  Mappings last;
  if (reservation == nullptr || !exact_mappings(*reservation, address, size, &first, &last)) {
    return musaErrorInvalidValue;
  }
  if (!empty_pages(address, size)) return musaErrorMemoryAllocation;
  for (Mappings each = first; each != last; ++each) {
    unused.push_back(std::move(each->second.memory));
    runtime.allocations.take(reinterpret_cast<void*>(each->first),
                             [](const Allocation&) { return true; });
  }
  reservation->mapped.erase(first, last);
  return musaSuccess;
}

musaError_t VirtualMemory::set_access(Runtime& runtime, std::uintptr_t address, std::size_t size,
                                      const MUmemAccessDesc* descriptions, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    MUSA_RETURN_IF_ERROR(check_access(runtime, descriptions[i]));
  }
  const std::lock_guard lock(mutex_);
  Reservation* reservation = reservation_of(address, size);
  Mappings first;
  Mappings last;
  if (reservation == nullptr || !exact_mappings(*reservation, address, size, &first, &last)) {
    return musaErrorInvalidValue;
  }
  for (Mappings each = first; each != last; ++each) {
    const auto& [start, mapped] = *each;
    bool accessible = false;
    runtime.allocations.with(reinterpret_cast<void*>(start), [&](Allocation& allocation) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto& [location, flags] = descriptions[i];
        set_bit(&allocation.readers, location.id, flags != MU_MEM_ACCESS_FLAGS_PROT_NONE);
        set_bit(&allocation.writers, location.id, flags == MU_MEM_ACCESS_FLAGS_PROT_READWRITE);
      }
      accessible = allocation.readers != 0;
    });
    if (!allow(start, mapped.size, accessible)) return musaErrorMemoryAllocation;
  }
  return musaSuccess;
}

musaError_t VirtualMemory::get_access(Runtime& runtime, std::uintptr_t address, int device,
                                      MUmemAccess_flags* flags) {
  const auto found = runtime.allocations.find(reinterpret_cast<void*>(address));
  if (!found || found->kind != MemoryKind::kVirtual) return musaErrorInvalidValue;
  *flags = found->allows(device, true)    ? MU_MEM_ACCESS_FLAGS_PROT_READWRITE
           : found->allows(device, false) ? MU_MEM_ACCESS_FLAGS_PROT_READ
                                          : MU_MEM_ACCESS_FLAGS_PROT_NONE;
  return musaSuccess;
}

unsigned long long VirtualMemory::allowed_handle_types(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const Mapped* mapped = mapped_at(address);
  return mapped != nullptr && mapped->memory->file() != nullptr
             ? MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
             : MU_MEM_HANDLE_TYPE_NONE;
}

VirtualMemory& virtual_memory() { return host::never_destroyed<VirtualMemory>(); }

}  // namespace musa
