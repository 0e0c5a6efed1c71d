// Pools that other processes can import, and the blocks that processes pass to each other.
#include <unistd.h>

#include <cstring>

#include "src/host/musa/ipc_handle.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/pool.h"
#include "src/host/shared/own_descriptor.h"

namespace musa {
namespace {

musaError_t export_block(Runtime& runtime, void* pointer, musaMemPoolPtrExportData* data) {
  const std::uint64_t fresh = new_secret();
  if (fresh == 0) return musaErrorOperatingSystem;
  musaError_t status = musaErrorInvalidValue;
  const auto publish = [&](Allocation& block) {
    if (block.kind != MemoryKind::kPooled || block.free_pending || block.file == nullptr ||
        block.base != reinterpret_cast<std::uintptr_t>(pointer)) {
      return;
    }
    if (block.secret == 0) {
      if (!block.file->publish(block.file_offset, block.mapped_size, fresh)) return;
      block.secret = fresh;
    }
    IpcContents contents = make_contents(SharedKind::kPoolBlock, *block.file, block.file_offset,
                                         block.size, block.secret);
    // A reused block may be larger than the request, so the handle also carries the real size.
    write_handle(contents, data, sizeof(*data));
    const std::uint64_t mapped_size = block.mapped_size;
    std::memcpy(data->reserved + sizeof(contents), &mapped_size, sizeof(mapped_size));
    status = musaSuccess;
  };
  runtime.allocations.with(pointer, publish);
  return status;
}

musaError_t import_block(Runtime& runtime, const std::shared_ptr<Pool>& pool,
                         const musaMemPoolPtrExportData& data, void** pointer) {
  IpcContents contents{};
  if (!read_handle(&data, SharedKind::kPoolBlock, &contents)) return musaErrorInvalidValue;
  std::uint64_t mapped_size = 0;
  std::memcpy(&mapped_size, data.reserved + sizeof(contents), sizeof(mapped_size));
  if (mapped_size < contents.size) return musaErrorInvalidValue;
  Allocation allocation;
  allocation.base = pool->file()->map_published(contents.offset, mapped_size, contents.secret);
  if (allocation.base == 0) return musaErrorInvalidValue;
  allocation.size = contents.size;
  allocation.mapped_size = mapped_size;
  allocation.kind = MemoryKind::kPoolImported;
  allocation.device = pool->device();
  allocation.pool = pool;
  runtime.allocations.insert(allocation);
  *pointer = reinterpret_cast<void*>(allocation.base);
  return musaSuccess;
}

}  // namespace

static_assert(sizeof(IpcContents) + sizeof(std::uint64_t) <= sizeof(musaMemPoolPtrExportData));

musaError_t mem_pool_export_to_shareable_handle(void* shareableHandle, musaMemPool_t memPool,
                                                enum musaMemAllocationHandleType handleType,
                                                unsigned int flags) {
  return api([&](Runtime&) {
    const auto pool = pool_handles().find(memPool);
    // Exports only the kind of handle the pool was made for, and only from the process that made
    // it.
    if (shareableHandle == nullptr || pool == nullptr || flags != 0 ||
        handleType != musaMemHandleTypePosixFileDescriptor || pool->file() == nullptr ||
        pool->is_imported()) {
      return musaErrorInvalidValue;
    }
    if (!pool->file()->is_intact()) return musaErrorOperatingSystem;
    const int descriptor = host::copy_descriptor(pool->file()->descriptor());
    if (descriptor < 0) return musaErrorOperatingSystem;
    *static_cast<int*>(shareableHandle) = descriptor;
    return musaSuccess;
  });
}

musaError_t mem_pool_import_from_shareable_handle(musaMemPool_t* memPool, void* shareableHandle,
                                                  enum musaMemAllocationHandleType handleType,
                                                  unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (memPool == nullptr || flags != 0 || handleType != musaMemHandleTypePosixFileDescriptor) {
      return musaErrorInvalidValue;
    }
    // The argument is the descriptor itself, not its address. It still belongs to the caller.
    const auto given = static_cast<int>(reinterpret_cast<std::intptr_t>(shareableHandle));
    const int descriptor = host::copy_descriptor(given);
    if (descriptor < 0) return musaErrorInvalidValue;
    auto file = SharedFile::adopt(descriptor, SharedFile::Use::kPool);
    if (file == nullptr) return musaErrorInvalidValue;
    auto pool = std::make_shared<Pool>(runtime.current().ordinal, 0, std::move(file), true);
    *memPool = pool_handles().insert(pool);
    return musaSuccess;
  });
}

musaError_t mem_pool_export_pointer(struct musaMemPoolPtrExportData* exportData, void* ptr) {
  return api([&](Runtime& runtime) {
    if (exportData == nullptr || ptr == nullptr) return musaErrorInvalidValue;
    return export_block(runtime, ptr, exportData);
  });
}

musaError_t mem_pool_import_pointer(void** ptr, musaMemPool_t memPool,
                                    struct musaMemPoolPtrExportData* exportData) {
  return api([&](Runtime& runtime) {
    const auto pool = pool_handles().find(memPool);
    if (ptr == nullptr || exportData == nullptr || pool == nullptr || !pool->is_imported()) {
      return musaErrorInvalidValue;
    }
    return import_block(runtime, pool, *exportData, ptr);
  });
}

}  // namespace musa
