#include "src/host/musa/memory.h"

#include "src/host/musa/graph/capture.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/pool.h"

namespace musa {
namespace {

constexpr std::size_t kPitchAlignment = 512;

bool is_freed_by_musa_free(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kPooled ||
         kind == MemoryKind::kManaged || kind == MemoryKind::kPoolImported;
}

bool pitched_size(std::size_t width, std::size_t rows, std::size_t* pitch, std::size_t* size) {
  if (width > SIZE_MAX - (kPitchAlignment - 1)) return false;
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  return !__builtin_mul_overflow(*pitch, rows, size);
}

// Whether a device other than the memory's own may be using it.
bool can_reach(Device& device, const Allocation& allocation) {
  if (is_host_side(allocation.kind)) return true;
  if (allocation.pool != nullptr &&
      allocation.pool->access_from(device.ordinal) != musaMemAccessFlagsProtNone) {
    return true;
  }
  const std::lock_guard lock(device.settings_mutex);
  return device.peers.count(allocation.device) != 0;
}

}  // namespace

musaError_t wait_for_users(Runtime& runtime, const Allocation& allocation) {
  Device& home = *runtime.device(allocation.device);
  for (const auto& device : runtime.devices) {
    if (device.get() != &home && !can_reach(*device, allocation)) continue;
    const musaError_t status = wait_all(*device, device->pending_everywhere());
    if (status == musaErrorNotPermitted) return status;
  }
  return home.fault.load();
}

musaError_t allocate(Runtime& runtime, MemoryKind kind, std::size_t size, unsigned int host_flags,
                     void** pointer) {
  MUSA_RETURN_IF_ERROR(check_unsafe_call());
  // Nothing is allocated in a context, too, which a program may go on with.
  Device& device = runtime.current();
  if (size == 0) {
    *pointer = nullptr;
    return musaSuccess;
  }
  MUSA_RETURN_IF_ERROR(device.fault.load());
  Allocation allocation;
  allocation.size = size;
  allocation.mapped_size = round_to_pages(size);
  Mapping mapping;
  if (kind == MemoryKind::kPinned) {
    // Memory of the CPU: the device has no less for it.
    if (allocation.mapped_size != 0) {
      mapping = map_uncounted(device.ordinal, allocation.mapped_size, nullptr);
    }
  } else {
    // Only device memory can be shared with other processes.
    mapping = map_pages(device, allocation.mapped_size,
                        kind == MemoryKind::kDevice ? process_file() : nullptr);
  }
  if (mapping.base == 0) return musaErrorMemoryAllocation;
  allocation.base = mapping.base;
  allocation.file = mapping.file;
  allocation.file_offset = mapping.offset;
  allocation.kind = kind;
  allocation.device = device.ordinal;
  allocation.host_flags = host_flags;
  runtime.allocations.insert(allocation);
  *pointer = reinterpret_cast<void*>(allocation.base);
  return musaSuccess;
}

void discard(Runtime& runtime, const Allocation& allocation) {
  Device& device = *runtime.device(allocation.device);
  // Processes that have opened the memory may use it until its pages are freed. No other process
  // can open it from now on.
  if (allocation.secret != 0) allocation.file->withdraw(allocation.file_offset);
  switch (allocation.kind) {
    case MemoryKind::kPooled:
      if (allocation.graph_block != nullptr) {
        allocation.graph_block->take_away();
        break;
      }
      allocation.pool->recycle(runtime, allocation.mapping());
      break;
    case MemoryKind::kImported:
    case MemoryKind::kPoolImported:
      // The pages belong to the exporting process.
      retire_pages(runtime, {allocation.base, allocation.mapped_size, nullptr, 0});
      break;
    case MemoryKind::kRegistered:
    case MemoryKind::kPageable:
      break;
    case MemoryKind::kPinned:
      retire_pages(runtime, allocation.mapping());
      break;
    default:
      unmap_pages(runtime, device, allocation.mapping());
  }
}

musaError_t free_allocation(Runtime& runtime, void* pointer, bool (*accept)(MemoryKind)) {
  MUSA_RETURN_IF_ERROR(check_unsafe_call());
  if (pointer == nullptr) {
    // Programs free nothing in order to begin: the call creates a context, as with CUDA.
    runtime.current();
    return musaSuccess;
  }
  const auto accepted = [&](const Allocation& allocation) {
    return accept(allocation.kind) && !allocation.free_pending;
  };
  const auto found = runtime.allocations.find(pointer);
  if (!found || found->base != reinterpret_cast<std::uintptr_t>(pointer) || !accepted(*found)) {
    return musaErrorInvalidValue;
  }
  if (found->graph_block != nullptr) return free_block_now(runtime, found->graph_block);
  const musaError_t status = wait_for_users(runtime, *found);
  if (status == musaErrorNotPermitted) return status;
  // Taken only now, because running work needed the entry. Another thread may have freed it first.
  const auto taken = runtime.allocations.take(pointer, accepted);
  if (!taken) return musaErrorInvalidValue;
  discard(runtime, *taken);
  release_excess(found->device);
  return status;
}

musaError_t malloc(void** devPtr, size_t size) {
  return api([&](Runtime& runtime) {
    if (devPtr == nullptr) return musaErrorInvalidValue;
    return allocate(runtime, MemoryKind::kDevice, size, 0, devPtr);
  });
}

musaError_t free(void* devPtr) {
  return api(
      [&](Runtime& runtime) { return free_allocation(runtime, devPtr, is_freed_by_musa_free); });
}

musaError_t malloc_pitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  return api([&](Runtime& runtime) {
    if (devPtr == nullptr || pitch == nullptr) return musaErrorInvalidValue;
    size_t row = 0;
    size_t size = 0;
    if (!pitched_size(width, height, &row, &size)) return musaErrorMemoryAllocation;
    MUSA_RETURN_IF_ERROR(allocate(runtime, MemoryKind::kDevice, size, 0, devPtr));
    *pitch = size == 0 ? 0 : row;
    return musaSuccess;
  });
}

musaError_t malloc_3d(struct musaPitchedPtr* pitchedDevPtr, struct musaExtent extent) {
  return api([&](Runtime& runtime) {
    if (pitchedDevPtr == nullptr) return musaErrorInvalidValue;
    size_t rows = 0;
    size_t row = 0;
    size_t size = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows) ||
        !pitched_size(extent.width, rows, &row, &size)) {
      return musaErrorMemoryAllocation;
    }
    void* pointer = nullptr;
    MUSA_RETURN_IF_ERROR(allocate(runtime, MemoryKind::kDevice, size, 0, &pointer));
    *pitchedDevPtr = {pointer, row, extent.width, extent.height};
    return musaSuccess;
  });
}

musaError_t mem_get_info(size_t* free, size_t* total) {
  return api([&](Runtime& runtime) {
    Device& device = runtime.current();
    if (total != nullptr) *total = device.memory;
    if (free != nullptr) *free = device.free_memory();
    return musaSuccess;
  });
}

musaError_t pointer_get_attributes(struct musaPointerAttributes* attributes, const void* ptr) {
  return api([&](Runtime& runtime) {
    if (attributes == nullptr) return musaErrorInvalidValue;
    void* const pointer = const_cast<void*>(ptr);
    // Not the whole struct, which is longer in some SDKs.
    const auto tell = [&](musaMemoryType type, int device, void* on_device, void* on_host) {
      attributes->type = type;
      attributes->device = device;
      attributes->devicePointer = on_device;
      attributes->hostPointer = on_host;
    };
    tell(musaMemoryTypeUnregistered, musaInvalidDeviceId, nullptr, pointer);
    runtime.allocations.with(ptr, [&](const Allocation& allocation) {
      const bool device_side = is_device_side(allocation.kind);
      tell(device_side                               ? musaMemoryTypeDevice
           : allocation.kind == MemoryKind::kManaged ? musaMemoryTypeManaged
                                                     : musaMemoryTypeHost,
           allocation.device, pointer, device_side ? nullptr : pointer);
    });
    return musaSuccess;
  });
}

}  // namespace musa
