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

bool allow(std::uintptr_t address, std::size_t size, bool accessible) {
  return mprotect(reinterpret_cast<void*>(address), size,
                  accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
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

musaError_t VirtualMemory::reserve(std::size_t size, std::size_t alignment, std::uintptr_t wanted,
                                   std::uintptr_t* address) {
  if (!is_whole(size) || (alignment & (alignment - 1)) != 0) return musaErrorInvalidValue;
  const std::size_t aligned = alignment > kGranularity ? alignment : kGranularity;
  if (size > SIZE_MAX - aligned) return musaErrorMemoryAllocation;
  // What lies before and after an aligned range is returned.
  void* pages = reserve_pages(wanted, size + aligned);
  if (pages == nullptr && retry_with_freed_addresses(Runtime::get().current_ordinal())) {
    pages = reserve_pages(wanted, size + aligned);
  }
  if (pages == nullptr) return musaErrorMemoryAllocation;
  const auto start = reinterpret_cast<std::uintptr_t>(pages);
  const std::uintptr_t base = (start + aligned - 1) / aligned * aligned;
  if (base != start) munmap(pages, base - start);
  munmap(reinterpret_cast<void*>(base + size), start + aligned - base);
  const std::lock_guard lock(mutex_);
  reservations_[base].size = size;
  *address = base;
  return musaSuccess;
}

musaError_t VirtualMemory::free(std::uintptr_t address, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || found->second.size != size || !found->second.mapped.empty()) {
    return musaErrorInvalidValue;
  }
  reservations_.erase(found);
  munmap(reinterpret_cast<void*>(address), size);
  return musaSuccess;
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

VirtualMemory::Reservation* VirtualMemory::reservation_of(std::uintptr_t address, std::size_t size,
                                                          std::uintptr_t* base) {
  const auto after = reservations_.upper_bound(address);
  if (after == reservations_.begin() || !is_whole(size) || address % kGranularity != 0) {
    return nullptr;
  }
  auto& [start, reservation] = *std::prev(after);
  const std::size_t offset = address - start;
  if (offset >= reservation.size || size > reservation.size - offset) return nullptr;
  *base = start;
  return &reservation;
}

VirtualMemory::Mapped* VirtualMemory::mapped_at(std::uintptr_t address) {
  const auto after = reservations_.upper_bound(address);
  if (after == reservations_.begin()) return nullptr;
  auto& mapped = std::prev(after)->second.mapped;
  const auto next = mapped.upper_bound(address);
  if (next == mapped.begin()) return nullptr;
  auto& [start, candidate] = *std::prev(next);
  return address - start < candidate.size ? &candidate : nullptr;
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

// Neighbours on one device count as one allocation: programs copy across their border.
void VirtualMemory::publish(Runtime& runtime, std::uintptr_t base, const Reservation& reservation) {
  std::vector<Allocation> runs;
  for (const auto& [start, mapped] : reservation.mapped) {
    if (!mapped.is_accessible()) continue;
    const int device = mapped.memory->device().ordinal;
    if (!runs.empty() && runs.back().device == device &&
        runs.back().base + runs.back().size == start) {
      runs.back().size += mapped.size;
    } else {
      Allocation run;
      run.base = start;
      run.size = mapped.size;
      run.kind = MemoryKind::kVirtual;
      run.device = device;
      runs.push_back(run);
    }
    runs.back().mapped_size = runs.back().size;
  }
  runtime.allocations.replace(base, reservation.size, runs);
}

musaError_t VirtualMemory::map(std::uintptr_t address, std::size_t size, Handle handle) {
  const std::lock_guard lock(mutex_);
  const auto named = handles_.find(handle);
  std::uintptr_t base = 0;
  Reservation* reservation = reservation_of(address, size, &base);
  if (named == handles_.end() || reservation == nullptr || size > named->second.memory->size()) {
    return musaErrorInvalidValue;
  }
  const auto next = reservation->mapped.lower_bound(address);
  const bool taken = mapped_at(address) != nullptr ||
                     (next != reservation->mapped.end() && next->first - address < size);
  if (taken) return musaErrorInvalidValue;
  if (!named->second.memory->map_at(address, size)) return musaErrorMemoryAllocation;
  reservation->mapped[address] = {size, named->second.memory, {}};
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
  std::uintptr_t base = 0;
  Reservation* reservation = reservation_of(address, size, &base);
  Mappings first;
  Mappings last;
  if (reservation == nullptr || !exact_mappings(*reservation, address, size, &first, &last)) {
    return musaErrorInvalidValue;
  }
  if (!empty_pages(address, size)) return musaErrorMemoryAllocation;
  for (Mappings each = first; each != last; ++each) {
    unused.push_back(std::move(each->second.memory));
  }
  reservation->mapped.erase(first, last);
  publish(runtime, base, *reservation);
  return musaSuccess;
}

musaError_t VirtualMemory::set_access(Runtime& runtime, std::uintptr_t address, std::size_t size,
                                      const MUmemAccessDesc* descriptions, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const MUmemAccessDesc& each = descriptions[i];
    if (each.location.type != MU_MEM_LOCATION_TYPE_DEVICE ||
        (each.flags != MU_MEM_ACCESS_FLAGS_PROT_NONE &&
         each.flags != MU_MEM_ACCESS_FLAGS_PROT_READ &&
         each.flags != MU_MEM_ACCESS_FLAGS_PROT_READWRITE)) {
      return musaErrorInvalidValue;
    }
    if (runtime.device(each.location.id) == nullptr) return musaErrorInvalidDevice;
  }
  const std::lock_guard lock(mutex_);
  std::uintptr_t base = 0;
  Reservation* reservation = reservation_of(address, size, &base);
  Mappings first;
  Mappings last;
  if (reservation == nullptr || !exact_mappings(*reservation, address, size, &first, &last)) {
    return musaErrorInvalidValue;
  }
  for (Mappings each = first; each != last; ++each) {
    auto& [start, mapped] = *each;
    for (std::size_t i = 0; i < count; ++i) {
      if (descriptions[i].flags == MU_MEM_ACCESS_FLAGS_PROT_NONE) {
        mapped.access.erase(descriptions[i].location.id);
      } else {
        mapped.access[descriptions[i].location.id] = descriptions[i].flags;
      }
    }
    if (!allow(start, mapped.size, mapped.is_accessible())) return musaErrorMemoryAllocation;
  }
  publish(runtime, base, *reservation);
  return musaSuccess;
}

musaError_t VirtualMemory::get_access(std::uintptr_t address, int device,
                                      MUmemAccess_flags* flags) {
  const std::lock_guard lock(mutex_);
  const Mapped* mapped = mapped_at(address);
  if (mapped == nullptr) return musaErrorInvalidValue;
  const auto found = mapped->access.find(device);
  *flags = found == mapped->access.end() ? MU_MEM_ACCESS_FLAGS_PROT_NONE : found->second;
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
