// Page-locked host memory: allocated here, or the user's own memory, registered.
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"

namespace musa {
namespace {

constexpr unsigned int kAllocFlags =
    musaHostAllocPortable | musaHostAllocMapped | musaHostAllocWriteCombined;
constexpr unsigned int kRegisterFlags = musaHostRegisterPortable | musaHostRegisterMapped |
                                        musaHostRegisterIoMemory | musaHostRegisterReadOnly;

bool is_pinned(MemoryKind kind) { return kind == MemoryKind::kPinned; }

bool is_host_mapping(MemoryKind kind) {
  return kind == MemoryKind::kPinned || kind == MemoryKind::kRegistered;
}

musaError_t allocate_host(void** pointer, std::size_t size, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (pointer == nullptr || (flags & ~kAllocFlags) != 0) return musaErrorInvalidValue;
    return allocate(runtime, MemoryKind::kPinned, size, flags, pointer);
  });
}

}  // namespace

musaError_t malloc_host(void** ptr, size_t size) {
  return allocate_host(ptr, size, musaHostAllocDefault);
}

musaError_t host_alloc(void** pHost, size_t size, unsigned int flags) {
  return allocate_host(pHost, size, flags);
}

musaError_t free_host(void* ptr) {
  return api([&](Runtime& runtime) { return free_allocation(runtime, ptr, is_pinned); });
}

musaError_t host_register(void* ptr, size_t size, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (ptr == nullptr || size == 0 || (flags & ~kRegisterFlags) != 0 ||
        size > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(ptr)) {
      return musaErrorInvalidValue;
    }
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    if (runtime.allocations.overlaps(ptr, size)) return musaErrorHostMemoryAlreadyRegistered;
    // Otherwise copies of registered memory could crash.
    if (!is_mapped(ptr, size)) return musaErrorInvalidValue;
    Allocation allocation;
    allocation.base = reinterpret_cast<std::uintptr_t>(ptr);
    allocation.size = size;
    allocation.kind = MemoryKind::kRegistered;
    allocation.device = runtime.current().ordinal;
    allocation.host_flags = flags;
    runtime.allocations.insert(allocation);
    return musaSuccess;
  });
}

musaError_t host_unregister(void* ptr) {
  return api([&](Runtime& runtime) {
    if (ptr == nullptr) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    const auto is_registered = [](const Allocation& allocation) {
      return allocation.kind == MemoryKind::kRegistered;
    };
    const auto found = runtime.allocations.find(ptr);
    if (!found || found->base != reinterpret_cast<std::uintptr_t>(ptr) || !is_registered(*found)) {
      return musaErrorHostMemoryNotRegistered;
    }
    const musaError_t status = wait_for_users(runtime, *found);
    if (status == musaErrorNotPermitted) return status;
    if (!runtime.allocations.take(ptr, is_registered)) return musaErrorHostMemoryNotRegistered;
    // The caller may unmap the pages after this call, so wait for copies that another thread
    // started meanwhile.
    const auto closed = runtime.gate.close();
    return status;
  });
}

musaError_t host_get_device_pointer(void** pDevice, void* pHost, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (pDevice == nullptr || pHost == nullptr || flags != 0) return musaErrorInvalidValue;
    const auto found = runtime.allocations.find(pHost);
    if (!found || !is_host_mapping(found->kind)) return musaErrorInvalidValue;
    // Host and device share one address space.
    *pDevice = pHost;
    return musaSuccess;
  });
}

musaError_t host_get_flags(unsigned int* pFlags, void* pHost) {
  return api([&](Runtime& runtime) {
    if (pFlags == nullptr || pHost == nullptr) return musaErrorInvalidValue;
    const auto found = runtime.allocations.find(pHost);
    if (!found || is_device_side(found->kind)) return musaErrorInvalidValue;
    // With one address space all memory of the host is mapped.
    *pFlags = musaHostAllocMapped;
    if (is_host_mapping(found->kind)) *pFlags |= found->host_flags & kAllocFlags;
    return musaSuccess;
  });
}

}  // namespace musa
