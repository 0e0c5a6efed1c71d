// Allocation, host memory, memory of other processes.
#include <cstring>

#include "src/host/musa/driver_call.h"

using musa::context_call;
using musa::pointer;
using musa::Runtime;

static_assert(sizeof(MUipcMemHandle) == sizeof(musaIpcMemHandle_t));
static_assert(sizeof(MUipcEventHandle) == sizeof(musaIpcEventHandle_t));

MUresult muMemGetInfo_v2(size_t* free, size_t* total) {
  return context_call([&](Runtime&) { return musa::mem_get_info(free, total); });
}

MUresult muMemAlloc_v2(MUdeviceptr* dptr, size_t bytesize) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue : musa::malloc(pointer(dptr), bytesize);
  });
}

MUresult muMemAlloc(MUdeviceptr* dptr, size_t bytesize) { return muMemAlloc_v2(dptr, bytesize); }

MUresult muMemAllocPitch_v2(MUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes) {
  return context_call([&](Runtime&) {
    const bool good = WidthInBytes != 0 && Height != 0 &&
                      (ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16);
    if (!good) return musaErrorInvalidValue;
    return musa::malloc_pitch(pointer(dptr), pPitch, WidthInBytes, Height);
  });
}

MUresult muMemFree_v2(MUdeviceptr dptr) {
  return context_call([&](Runtime&) { return musa::free(pointer(dptr)); });
}

MUresult muMemFree(MUdeviceptr dptr) { return muMemFree_v2(dptr); }

MUresult muMemGetAddressRange_v2(MUdeviceptr* pbase, size_t* psize, MUdeviceptr dptr) {
  return context_call([&](Runtime& runtime) {
    const auto found = runtime.allocations.find(pointer(dptr));
    if (!found || found->kind == musa::MemoryKind::kArray) return musaErrorSymbolNotFound;
    // Either result is optional.
    if (pbase != nullptr) *pbase = found->base;
    if (psize != nullptr) *psize = found->size;
    return musaSuccess;
  });
}

MUresult muMemAllocHost_v2(void** pp, size_t bytesize) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue : musa::malloc_host(pp, bytesize);
  });
}

MUresult muMemAllocHost(void** pp, size_t bytesize) { return muMemAllocHost_v2(pp, bytesize); }

MUresult muMemFreeHost(void* p) {
  return context_call([&](Runtime&) { return musa::free_host(p); });
}

MUresult muMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue : musa::host_alloc(pp, bytesize, Flags);
  });
}

MUresult muMemHostGetDevicePointer_v2(MUdeviceptr* pdptr, void* p, unsigned int Flags) {
  return context_call(
      [&](Runtime&) { return musa::host_get_device_pointer(pointer(pdptr), p, Flags); });
}

MUresult muMemHostGetFlags(unsigned int* pFlags, void* p) {
  return context_call([&](Runtime&) { return musa::host_get_flags(pFlags, p); });
}

MUresult muMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  return context_call([&](Runtime&) { return musa::host_register(p, bytesize, Flags); });
}

MUresult muMemHostUnregister(void* p) {
  return context_call([&](Runtime&) { return musa::host_unregister(p); });
}

MUresult muMemAllocManaged(MUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue
                         : musa::malloc_managed(pointer(dptr), bytesize, flags);
  });
}

MUresult muIpcGetMemHandle(MUipcMemHandle* pHandle, MUdeviceptr dptr) {
  return context_call([&](Runtime&) {
    return musa::ipc_get_mem_handle(reinterpret_cast<musaIpcMemHandle_t*>(pHandle), pointer(dptr));
  });
}

MUresult muIpcOpenMemHandle_v2(MUdeviceptr* pdptr, MUipcMemHandle handle, unsigned int Flags) {
  return context_call([&](Runtime&) {
    musaIpcMemHandle_t same;
    std::memcpy(&same, &handle, sizeof(same));
    return musa::ipc_open_mem_handle(pointer(pdptr), same, Flags);
  });
}

MUresult muIpcCloseMemHandle(MUdeviceptr dptr) {
  return context_call([&](Runtime&) { return musa::ipc_close_mem_handle(pointer(dptr)); });
}

MUresult muIpcGetEventHandle(MUipcEventHandle* pHandle, MUevent event) {
  return context_call([&](Runtime&) {
    return musa::ipc_get_event_handle(reinterpret_cast<musaIpcEventHandle_t*>(pHandle), event);
  });
}

MUresult muIpcOpenEventHandle(MUevent* phEvent, MUipcEventHandle handle) {
  return context_call([&](Runtime&) {
    musaIpcEventHandle_t same;
    std::memcpy(&same, &handle, sizeof(same));
    return musa::ipc_open_event_handle(phEvent, same);
  });
}
