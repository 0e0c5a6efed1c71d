#include <cstring>

#include "src/host/musa/driver_call.h"
#include "src/host/musa/virtual_memory.h"
#include "src/host/shared/own_descriptor.h"

namespace musa {
namespace {

musaError_t check_properties(Runtime& runtime, const MUmemAllocationProp* prop) {
  if (prop == nullptr || prop->type != MU_MEM_ALLOCATION_TYPE_PINNED ||
      prop->location.type != MU_MEM_LOCATION_TYPE_DEVICE) {
    return musaErrorInvalidValue;
  }
  if (runtime.device(prop->location.id) == nullptr) return musaErrorInvalidDevice;
  switch (prop->requestedHandleTypes) {
    case MU_MEM_HANDLE_TYPE_NONE:
    case MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR:
      return musaSuccess;
    default:
      return musaErrorNotSupported;
  }
}

musaError_t create(Runtime& runtime, MUmemGenericAllocationHandle* handle, std::size_t size,
                   const MUmemAllocationProp* prop) {
  MUSA_RETURN_IF_ERROR(check_properties(runtime, prop));
  if (handle == nullptr || size == 0 || size % VirtualMemory::kGranularity != 0) {
    return musaErrorInvalidValue;
  }
  auto memory = PhysicalMemory::create(
      *runtime.device(prop->location.id), size,
      prop->requestedHandleTypes == MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  if (memory == nullptr) return musaErrorMemoryAllocation;
  *handle = virtual_memory().add(std::move(memory));
  return musaSuccess;
}

musaError_t export_memory(void* result, MUmemGenericAllocationHandle handle,
                          MUmemAllocationHandleType type) {
  const auto memory = virtual_memory().find(handle);
  if (result == nullptr || memory == nullptr || memory->file() == nullptr ||
      type != MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
    return musaErrorInvalidValue;
  }
  const int descriptor = host::copy_descriptor(memory->file()->descriptor());
  if (descriptor < 0) return musaErrorOperatingSystem;
  std::memcpy(result, &descriptor, sizeof(descriptor));
  return musaSuccess;
}

musaError_t import_memory(Runtime& runtime, MUmemGenericAllocationHandle* handle,
                          const void* os_handle, MUmemAllocationHandleType type) {
  if (handle == nullptr) return musaErrorInvalidValue;
  if (type != MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return musaErrorNotSupported;
  auto file = ExportedFile::open(static_cast<int>(reinterpret_cast<std::intptr_t>(os_handle)));
  if (file == nullptr || file->size() % VirtualMemory::kGranularity != 0) {
    return musaErrorInvalidValue;
  }
  for (const auto& device : runtime.devices) {
    if (device->physical_index != file->physical_device()) continue;
    *handle = virtual_memory().add(PhysicalMemory::imported(*device, std::move(file)));
    return musaSuccess;
  }
  return musaErrorInvalidDevice;  // this process does not see it
}

}  // namespace
}  // namespace musa

using musa::driver_call;
using musa::Runtime;
using musa::virtual_memory;

MUresult muMemAddressReserve(MUdeviceptr* ptr, size_t size, size_t alignment, MUdeviceptr addr,
                             unsigned long long flags) {
  return driver_call([&](Runtime& runtime) {
    if (ptr == nullptr || flags != 0) return musaErrorInvalidValue;
    std::uintptr_t address = 0;
    MUSA_RETURN_IF_ERROR(virtual_memory().reserve(runtime, size, alignment, addr, &address));
    *ptr = address;
    return musaSuccess;
  });
}

MUresult muMemAddressFree(MUdeviceptr ptr, size_t size) {
  return driver_call([&](Runtime& runtime) { return virtual_memory().free(runtime, ptr, size); });
}

MUresult muMemCreate(MUmemGenericAllocationHandle* handle, size_t size,
                     const MUmemAllocationProp* prop, unsigned long long flags) {
  return driver_call([&](Runtime& runtime) {
    return flags != 0 ? musaErrorInvalidValue : musa::create(runtime, handle, size, prop);
  });
}

MUresult muMemRelease(MUmemGenericAllocationHandle handle) {
  return driver_call([&](Runtime&) { return virtual_memory().release(handle); });
}

MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset, MUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return driver_call([&](Runtime& runtime) {
    if (offset != 0 || flags != 0) return musaErrorInvalidValue;
    return virtual_memory().map(runtime, ptr, size, handle);
  });
}

MUresult muMemUnmap(MUdeviceptr ptr, size_t size) {
  return driver_call([&](Runtime& runtime) { return virtual_memory().unmap(runtime, ptr, size); });
}

MUresult muMemSetAccess(MUdeviceptr ptr, size_t size, const MUmemAccessDesc* desc, size_t count) {
  return driver_call([&](Runtime& runtime) {
    if (desc == nullptr || count == 0) return musaErrorInvalidValue;
    return virtual_memory().set_access(runtime, ptr, size, desc, count);
  });
}

MUresult muMemGetAccess(unsigned long long* flags, const MUmemLocation* location, MUdeviceptr ptr) {
  return driver_call([&](Runtime& runtime) {
    if (flags == nullptr || location == nullptr || location->type != MU_MEM_LOCATION_TYPE_DEVICE) {
      return musaErrorInvalidValue;
    }
    if (runtime.device(location->id) == nullptr) return musaErrorInvalidDevice;
    MUmemAccess_flags found = MU_MEM_ACCESS_FLAGS_PROT_NONE;
    MUSA_RETURN_IF_ERROR(musa::VirtualMemory::get_access(runtime, ptr, location->id, &found));
    *flags = found;
    return musaSuccess;
  });
}

MUresult muMemExportToShareableHandle(void* shareableHandle, MUmemGenericAllocationHandle handle,
                                      MUmemAllocationHandleType handleType,
                                      unsigned long long flags) {
  return driver_call([&](Runtime&) {
    return flags != 0 ? musaErrorInvalidValue
                      : musa::export_memory(shareableHandle, handle, handleType);
  });
}

MUresult muMemImportFromShareableHandle(MUmemGenericAllocationHandle* handle, void* osHandle,
                                        MUmemAllocationHandleType shHandleType) {
  return driver_call([&](Runtime& runtime) {
    return musa::import_memory(runtime, handle, osHandle, shHandleType);
  });
}

MUresult muMemGetAllocationGranularity(size_t* granularity, const MUmemAllocationProp* prop,
                                       MUmemAllocationGranularity_flags option) {
  return driver_call([&](Runtime& runtime) {
    MUSA_RETURN_IF_ERROR(musa::check_properties(runtime, prop));
    if (granularity == nullptr || (option != MU_MEM_ALLOC_GRANULARITY_MINIMUM &&
                                   option != MU_MEM_ALLOC_GRANULARITY_RECOMMENDED)) {
      return musaErrorInvalidValue;
    }
    *granularity = musa::VirtualMemory::kGranularity;
    return musaSuccess;
  });
}

MUresult muMemGetAllocationPropertiesFromHandle(MUmemAllocationProp* prop,
                                                MUmemGenericAllocationHandle handle) {
  return driver_call([&](Runtime&) {
    const auto memory = virtual_memory().find(handle);
    if (prop == nullptr || memory == nullptr) return musaErrorInvalidValue;
    *prop = {};
    prop->type = MU_MEM_ALLOCATION_TYPE_PINNED;
    prop->requestedHandleTypes = memory->file() != nullptr
                                     ? MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
                                     : MU_MEM_HANDLE_TYPE_NONE;
    prop->location = {MU_MEM_LOCATION_TYPE_DEVICE, memory->device().ordinal};
    return musaSuccess;
  });
}

MUresult muMemRetainAllocationHandle(MUmemGenericAllocationHandle* handle, void* addr) {
  return driver_call([&](Runtime&) {
    if (handle == nullptr) return musaErrorInvalidValue;
    return virtual_memory().retain(reinterpret_cast<std::uintptr_t>(addr), handle);
  });
}
