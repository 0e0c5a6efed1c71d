#include "src/host/musa/graph/capture.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/pool.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

// Null for the default pool and for dead handles.
std::shared_ptr<Pool> resolve_pool(musaMemPool_t handle) { return pool_handles().find(handle); }

bool is_freed_in_streams(MemoryKind kind) {
  return kind == MemoryKind::kPooled || kind == MemoryKind::kPoolImported ||
         kind == MemoryKind::kDevice;
}

// Allocates a block. If memory does not suffice, waits for frees still pending in the stream and
// tries again.
Mapping take_block(Runtime& runtime, const std::shared_ptr<Pool>& pool,
                   const std::shared_ptr<Stream>& stream, std::size_t size) {
  Device& device = *runtime.device(pool->device());
  Mapping block = pool->take(device, size);
  if (block.base != 0 || size > device.memory || on_stream_thread()) return block;
  for (const Milestone& milestone : runtime.device(stream->device())->pending_before(stream)) {
    milestone.wait();
  }
  release_all_cached(device.ordinal);
  return pool->take(device, size);
}

musaError_t allocate_in_stream(Runtime& runtime, void** pointer, std::size_t size,
                               const std::shared_ptr<Pool>& pool,
                               const std::shared_ptr<Stream>& stream) {
  if (pool->is_imported()) return musaErrorInvalidValue;
  MUSA_RETURN_IF_ERROR(runtime.device(pool->device())->fault.load());
  if (size == 0) {
    *pointer = nullptr;
    return musaSuccess;
  }
  musaMemAllocNodeParams params{};
  params.poolProps.allocType = musaMemAllocationTypePinned;
  params.poolProps.location = {musaMemLocationTypeDevice, pool->device()};
  params.bytesize = size;
  bool captured = false;
  MUSA_RETURN_IF_ERROR(capture_allocation(runtime, &params, stream, &captured));
  if (captured) {
    *pointer = params.dptr;
    return musaSuccess;
  }
  MUSA_RETURN_IF_ERROR(check_unsafe_call());
  Mapping block = take_block(runtime, pool, stream, size);
  if (block.base == 0) return musaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(block.base);
  Allocation allocation;
  allocation.size = size;
  allocation.base = block.base;
  allocation.mapped_size = block.size;
  allocation.file = std::move(block.file);
  allocation.file_offset = block.offset;
  allocation.was_exported = block.exported;
  allocation.kind = MemoryKind::kPooled;
  allocation.device = pool->device();
  allocation.pool = pool;
  runtime.allocations.insert(std::move(allocation));
  return musaSuccess;
}

}  // namespace

musaError_t malloc_async(void** devPtr, size_t size, musaStream_t hStream) {
  return api([&](Runtime& runtime) {
    if (devPtr == nullptr) return musaErrorInvalidValue;
    const auto stream = resolve_stream(runtime, hStream);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    Device& device = *runtime.device(stream->device());
    std::shared_ptr<Pool> pool;
    {
      const std::lock_guard lock(device.settings_mutex);
      pool = device.current_pool;
    }
    return allocate_in_stream(runtime, devPtr, size, pool, stream);
  });
}

musaError_t malloc_from_pool_async(void** ptr, size_t size, musaMemPool_t memPool,
                                   musaStream_t stream) {
  return api([&](Runtime& runtime) {
    const auto pool = resolve_pool(memPool);
    if (ptr == nullptr || pool == nullptr) return musaErrorInvalidValue;
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    return allocate_in_stream(runtime, ptr, size, pool, found);
  });
}

musaError_t free_async(void* devPtr, musaStream_t hStream) {
  return in_stream(hStream, [&](Runtime& runtime, const auto& stream) {
    bool captured = false;
    MUSA_RETURN_IF_ERROR(capture_free(runtime, devPtr, stream, &captured));
    if (captured) return musaSuccess;
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    if (devPtr == nullptr) return musaSuccess;
    std::shared_ptr<MemoryBlock> of_graph;
    bool accepted = false;
    runtime.allocations.with(devPtr, [&](Allocation& allocation) {
      if (allocation.base != reinterpret_cast<std::uintptr_t>(devPtr)) return;
      of_graph = allocation.graph_block;
      accepted =
          of_graph == nullptr && is_freed_in_streams(allocation.kind) && !allocation.free_pending;
      if (accepted) allocation.free_pending = true;
    });
    if (of_graph != nullptr) return free_block_in_stream(runtime, of_graph, stream);
    if (!accepted) return musaErrorInvalidValue;
    runtime.device(stream->device())->submit(stream, [&runtime, devPtr] {
      const auto is_pending = [](const Allocation& allocation) { return allocation.free_pending; };
      const auto taken = runtime.allocations.take(devPtr, is_pending);
      // A device reset may have freed it first.
      if (taken) discard(runtime, *taken);
    });
    return musaSuccess;
  });
}

musaError_t device_get_default_mem_pool(musaMemPool_t* memPool, int device) {
  return api([&](Runtime& runtime) {
    if (memPool == nullptr) return musaErrorInvalidValue;
    Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    *memPool = found->default_pool->handle;
    return musaSuccess;
  });
}

musaError_t device_get_mem_pool(musaMemPool_t* memPool, int device) {
  return api([&](Runtime& runtime) {
    if (memPool == nullptr) return musaErrorInvalidValue;
    Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    const std::lock_guard lock(found->settings_mutex);
    *memPool = found->current_pool->handle;
    return musaSuccess;
  });
}

musaError_t device_set_mem_pool(int device, musaMemPool_t memPool) {
  return api([&](Runtime& runtime) {
    Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    auto pool = resolve_pool(memPool);
    if (pool == nullptr || pool->device() != device || pool->is_imported()) {
      return musaErrorInvalidValue;
    }
    const std::lock_guard lock(found->settings_mutex);
    found->current_pool = std::move(pool);
    return musaSuccess;
  });
}

musaError_t mem_pool_create(musaMemPool_t* memPool, const struct musaMemPoolProps* poolProps) {
  return api([&](Runtime& runtime) {
    if (memPool == nullptr || poolProps == nullptr ||
        poolProps->allocType != musaMemAllocationTypePinned ||
        poolProps->location.type != musaMemLocationTypeDevice) {
      return musaErrorInvalidValue;
    }
    if (runtime.device(poolProps->location.id) == nullptr) return musaErrorInvalidDevice;
    std::shared_ptr<SharedFile> file;
    if (poolProps->handleTypes == musaMemHandleTypePosixFileDescriptor) {
      file = SharedFile::create(SharedFile::Use::kPool);
      if (file == nullptr) return musaErrorOperatingSystem;
    } else if (poolProps->handleTypes != musaMemHandleTypeNone) {
      // The other kinds of handle belong to another operating system.
      return musaErrorNotSupported;
    }
    auto pool = std::make_shared<Pool>(poolProps->location.id, poolProps->maxSize, std::move(file));
    *memPool = pool_handles().insert(pool);
    return musaSuccess;
  });
}

musaError_t mem_pool_destroy(musaMemPool_t memPool) {
  return api([&](Runtime& runtime) {
    const auto pool = resolve_pool(memPool);
    if (pool == nullptr) return musaErrorInvalidValue;
    Device& device = *runtime.device(pool->device());
    if (pool == device.default_pool) return musaErrorInvalidValue;
    pool_handles().remove(memPool);
    {
      const std::lock_guard lock(device.settings_mutex);
      if (device.current_pool == pool) device.current_pool = device.default_pool;
    }
    // Blocks in use keep the pool alive until the last of them is freed.
    pool->retire(runtime);
    return musaSuccess;
  });
}

musaError_t mem_pool_trim_to(musaMemPool_t memPool, size_t minBytesToKeep) {
  return api([&](Runtime& runtime) {
    const auto pool = resolve_pool(memPool);
    if (pool == nullptr) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    pool->shrink_to(runtime, minBytesToKeep);
    return musaSuccess;
  });
}

musaError_t mem_pool_get_attribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void* value) {
  return api([&](Runtime&) {
    const auto pool = resolve_pool(memPool);
    if (pool == nullptr || value == nullptr) return musaErrorInvalidValue;
    return pool->get_attribute(attr, value);
  });
}

musaError_t mem_pool_set_attribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void* value) {
  return api([&](Runtime&) {
    const auto pool = resolve_pool(memPool);
    if (pool == nullptr || value == nullptr) return musaErrorInvalidValue;
    return pool->set_attribute(attr, value);
  });
}

musaError_t mem_pool_get_access(enum musaMemAccessFlags* flags, musaMemPool_t memPool,
                                struct musaMemLocation* location) {
  return api([&](Runtime& runtime) {
    const auto pool = resolve_pool(memPool);
    if (flags == nullptr || pool == nullptr || location == nullptr ||
        location->type != musaMemLocationTypeDevice) {
      return musaErrorInvalidValue;
    }
    if (runtime.device(location->id) == nullptr) return musaErrorInvalidDevice;
    *flags = pool->access_from(location->id);
    return musaSuccess;
  });
}

musaError_t mem_pool_set_access(musaMemPool_t memPool, const struct musaMemAccessDesc* descList,
                                size_t count) {
  return api([&](Runtime& runtime) {
    const auto pool = resolve_pool(memPool);
    if (pool == nullptr || (descList == nullptr && count != 0)) return musaErrorInvalidValue;
    // All or nothing, so check everything before changing anything.
    for (size_t i = 0; i < count; ++i) {
      const musaMemAccessDesc& wanted = descList[i];
      const bool flags_known = wanted.flags == musaMemAccessFlagsProtNone ||
                               wanted.flags == musaMemAccessFlagsProtRead ||
                               wanted.flags == musaMemAccessFlagsProtReadWrite;
      if (wanted.location.type != musaMemLocationTypeDevice || !flags_known) {
        return musaErrorInvalidValue;
      }
      if (runtime.device(wanted.location.id) == nullptr) return musaErrorInvalidDevice;
      // The pool's own device always has access.
      if (wanted.location.id == pool->device() && wanted.flags != musaMemAccessFlagsProtReadWrite) {
        return musaErrorInvalidValue;
      }
    }
    for (size_t i = 0; i < count; ++i) {
      pool->set_access_from(descList[i].location.id, descList[i].flags);
    }
    return musaSuccess;
  });
}

}  // namespace musa
