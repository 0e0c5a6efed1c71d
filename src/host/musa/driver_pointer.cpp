// What a program can ask about an address.
#include <cstring>

#include "src/host/musa/driver_call.h"
#include "src/host/musa/pool.h"
#include "src/host/musa/virtual_memory.h"

namespace musa {
namespace {

template <typename Value>
musaError_t give(void* data, Value value) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): often a pointer
  std::memcpy(data, &value, sizeof(value));
  return musaSuccess;
}

// Programs keep answers of yes or no in 32 bits.
musaError_t give_bool(void* data, bool value) { return give(data, value ? 1U : 0U); }

bool is_reachable_by_host(MemoryKind kind) {
  return kind == MemoryKind::kPinned || kind == MemoryKind::kRegistered ||
         kind == MemoryKind::kManaged;
}

MUmemorytype type_of(MemoryKind kind) {
  return kind == MemoryKind::kPinned || kind == MemoryKind::kRegistered ? MU_MEMORYTYPE_HOST
                                                                        : MU_MEMORYTYPE_DEVICE;
}

// The context's handle. None owns virtual memory.
std::uintptr_t owner_of(const Allocation& allocation) {
  if (allocation.kind == MemoryKind::kVirtual) return 0;
  return reinterpret_cast<std::uintptr_t>(primary_context(allocation.device)->handle);
}

// What was allocated; of memory that the program mapped, the addresses that it reserved.
Mapping range_of(const Allocation& allocation) {
  Mapping range{allocation.base, allocation.size, nullptr, 0};
  if (allocation.kind == MemoryKind::kVirtual) {
    virtual_memory().reserved_range(allocation.base, &range.base, &range.size);
  }
  return range;
}

// What the device of the current context may do.
unsigned int access_to(const Allocation& allocation) {
  const int device = Runtime::get().current_ordinal();
  return allocation.allows(device, true)    ? MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
         : allocation.allows(device, false) ? MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ
                                            : MU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
}

musaError_t read_pointer(const Allocation& allocation, MUpointer_attribute attribute,
                         MUdeviceptr address, void* data) {
  switch (attribute) {
    case MU_POINTER_ATTRIBUTE_CONTEXT:
      return give(data, owner_of(allocation));
    case MU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(data, type_of(allocation.kind));
    case MU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return give(data, address);
    case MU_POINTER_ATTRIBUTE_HOST_POINTER:
      return is_reachable_by_host(allocation.kind) ? give(data, pointer(address))
                                                   : musaErrorInvalidValue;
    case MU_POINTER_ATTRIBUTE_P2P_TOKENS:
      return musaErrorNotSupported;
    case MU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return give_bool(data, allocation.waits);
    case MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return give_bool(data, false);
    case MU_POINTER_ATTRIBUTE_BUFFER_ID:
      return give(data, static_cast<unsigned long long>(allocation.id));
    case MU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give_bool(data, allocation.kind == MemoryKind::kManaged);
    case MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(data, allocation.device);
    case MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE:
      return give_bool(data, allocation.kind == MemoryKind::kDevice && allocation.file != nullptr);
    case MU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(data, static_cast<MUdeviceptr>(range_of(allocation).base));
    case MU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(data, range_of(allocation).size);
    case MU_POINTER_ATTRIBUTE_MAPPED:
      return give_bool(data, true);
    case MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return give(data, virtual_memory().allowed_handle_types(address));
    case MU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return give(data, access_to(allocation));
    case MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return give(data, allocation.pool == nullptr ? nullptr : allocation.pool->handle);
  }
  return musaErrorInvalidValue;
}

// What the list of attributes says of an address that the driver does not know.
void clear_attribute(MUpointer_attribute attribute, void* data) {
  switch (attribute) {
    case MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      give(data, -2);
      break;
    case MU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case MU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case MU_POINTER_ATTRIBUTE_IS_MANAGED:
    case MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE:
    case MU_POINTER_ATTRIBUTE_MAPPED:
    case MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case MU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      give_bool(data, false);
      break;
    case MU_POINTER_ATTRIBUTE_P2P_TOKENS:
      give(data, MUSA_POINTER_ATTRIBUTE_P2P_TOKENS{});
      break;
    default:
      give(data, 0ULL);
  }
}

bool is_attribute(MUpointer_attribute attribute) {
  return attribute >= MU_POINTER_ATTRIBUTE_CONTEXT &&
         attribute <= MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
}

}  // namespace
}  // namespace musa

MUresult muPointerGetAttribute(void* data, MUpointer_attribute attribute, MUdeviceptr ptr) {
  return musa::driver_call([&](musa::Runtime& runtime) {
    if (data == nullptr || !musa::is_attribute(attribute)) return musaErrorInvalidValue;
    const auto found = runtime.allocations.find(musa::pointer(ptr));
    if (!found) return musaErrorInvalidValue;
    return musa::read_pointer(*found, attribute, ptr, data);
  });
}

MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute* attributes,
                                void** data, MUdeviceptr ptr) {
  return musa::driver_call([&](musa::Runtime& runtime) {
    if (numAttributes == 0 || attributes == nullptr || data == nullptr) {
      return musaErrorInvalidValue;
    }
    for (unsigned int i = 0; i < numAttributes; ++i) {
      if (data[i] == nullptr || !musa::is_attribute(attributes[i])) return musaErrorInvalidValue;
    }
    const auto found = runtime.allocations.find(musa::pointer(ptr));
    for (unsigned int i = 0; i < numAttributes; ++i) {
      const bool read =
          found && musa::read_pointer(*found, attributes[i], ptr, data[i]) == musaSuccess;
      if (!read) musa::clear_attribute(attributes[i], data[i]);
    }
    return musaSuccess;
  });
}

// Programs can set one attribute only.
MUresult muPointerSetAttribute(const void* value, MUpointer_attribute attribute, MUdeviceptr ptr) {
  return musa::context_call([&](musa::Runtime& runtime) {
    if (value == nullptr || attribute != MU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
      return musaErrorInvalidValue;
    }
    unsigned int waits = 0;
    std::memcpy(&waits, value, sizeof(waits));
    const bool known = runtime.allocations.with(
        musa::pointer(ptr), [&](musa::Allocation& found) { found.waits = waits != 0; });
    return known ? musaSuccess : musaErrorInvalidValue;
  });
}
