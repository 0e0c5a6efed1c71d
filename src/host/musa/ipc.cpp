// Device memory shared between processes. It lies in a file that others can map, so an export only
// says where.
#include <sys/mman.h>

#include <mutex>
#include <string>

#include "src/host/musa/ipc_handle.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"

namespace musa {
namespace {

// Exports, opens and closes are rare, so they run one at a time.
std::mutex& ipc_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

musaError_t export_allocation(Runtime& runtime, void* pointer, Allocation* allocation) {
  if (allocation->file == nullptr) return musaErrorNotSupported;
  if (allocation->secret != 0) return musaSuccess;
  allocation->secret = new_secret();
  if (allocation->secret == 0) return musaErrorOperatingSystem;
  bool published = false;
  // Under the table's lock, so that a simultaneous free either sees the secret or takes the
  // allocation first.
  const auto publish = [&](Allocation& live) {
    published = live.base == allocation->base && live.file == allocation->file &&
                live.file->publish(live.file_offset, live.mapped_size, allocation->secret);
    if (published) live.secret = allocation->secret;
  };
  runtime.allocations.with(pointer, publish);
  return published ? musaSuccess : musaErrorInvalidValue;
}

// A process opens memory once per device. Further opens increase a count.
void* reopen(Runtime& runtime, const std::string& key, int device) {
  const auto opened = runtime.allocations.list([&](const Allocation& allocation) {
    return allocation.kind == MemoryKind::kImported && allocation.device == device &&
           allocation.import_key == key;
  });
  if (opened.empty()) return nullptr;
  runtime.allocations.with(opened.front(), [](Allocation& allocation) { ++allocation.open_count; });
  return opened.front();
}

musaError_t open_memory(Runtime& runtime, const IpcContents& contents, void** pointer) {
  const std::string key = key_of(contents);
  const auto file = open_file(contents);
  const std::size_t mapped_size = round_to_pages(contents.size);
  if (file == nullptr) return musaErrorInvalidResourceHandle;
  Allocation allocation;
  allocation.base = file->map_published(contents.offset, mapped_size, contents.secret);
  if (allocation.base == 0) return musaErrorInvalidResourceHandle;
  *pointer = reopen(runtime, key, runtime.current().ordinal);
  if (*pointer != nullptr) {
    munmap(reinterpret_cast<void*>(allocation.base), mapped_size);
    return musaSuccess;
  }
  allocation.size = contents.size;
  allocation.mapped_size = mapped_size;
  allocation.kind = MemoryKind::kImported;
  allocation.device = runtime.current().ordinal;
  allocation.import_key = key;
  allocation.open_count = 1;
  runtime.allocations.insert(allocation);
  *pointer = reinterpret_cast<void*>(allocation.base);
  return musaSuccess;
}

bool is_opened_at(const Allocation& allocation, const void* pointer) {
  return allocation.kind == MemoryKind::kImported &&
         allocation.base == reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

musaError_t ipc_get_mem_handle(musaIpcMemHandle_t* handle, void* devPtr) {
  return api([&](Runtime& runtime) {
    if (handle == nullptr) return musaErrorInvalidValue;
    const std::lock_guard lock(ipc_mutex());
    auto found = runtime.allocations.find(devPtr);
    if (!found || found->kind != MemoryKind::kDevice) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(export_allocation(runtime, devPtr, &*found));
    write_handle(make_contents(SharedKind::kMemory, *found->file, found->file_offset, found->size,
                               found->secret),
                 handle, sizeof(*handle));
    return musaSuccess;
  });
}

musaError_t ipc_open_mem_handle(void** devPtr, musaIpcMemHandle_t handle, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (devPtr == nullptr ||
        (flags & ~static_cast<unsigned>(musaIpcMemLazyEnablePeerAccess)) != 0) {
      return musaErrorInvalidValue;
    }
    IpcContents contents{};
    if (!read_handle(&handle, SharedKind::kMemory, &contents)) {
      return musaErrorInvalidResourceHandle;
    }
    // The exporting process already has the memory. Opening it there fails, as on a device.
    if (is_from_this_process(contents)) return musaErrorDeviceUninitialized;
    const std::lock_guard lock(ipc_mutex());
    void* pointer = nullptr;
    MUSA_RETURN_IF_ERROR(open_memory(runtime, contents, &pointer));
    *devPtr = pointer;
    return musaSuccess;
  });
}

musaError_t ipc_close_mem_handle(void* devPtr) {
  return api([&](Runtime& runtime) {
    const auto found = runtime.allocations.find(devPtr);
    if (!found || !is_opened_at(*found, devPtr)) return musaErrorInvalidValue;
    // Without the lock: that work may wait for other threads that export memory.
    const musaError_t status = wait_for_users(runtime, *found);
    if (status == musaErrorNotPermitted) return status;
    const std::lock_guard lock(ipc_mutex());
    bool still_open = false;
    const bool known = runtime.allocations.with(devPtr, [&](Allocation& allocation) {
      still_open = is_opened_at(allocation, devPtr) && --allocation.open_count > 0;
    });
    if (!known) return musaErrorInvalidValue;
    if (still_open) return status;
    const auto taken = runtime.allocations.take(
        devPtr, [&](const Allocation& allocation) { return is_opened_at(allocation, devPtr); });
    if (!taken) return musaErrorInvalidValue;
    discard(runtime, *taken);
    return status;
  });
}

}  // namespace musa
