// Allocation, host memory, memory of other processes.
#include "src/host/musa/driver_call.h"

using musa::context_call;
using musa::pointer;
using musa::Runtime;

IN_CONTEXT(2, muMemGetInfo_v2, mem_get_info)

MUresult muMemAlloc_v2(MUdeviceptr* dptr, size_t bytesize) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue : musa::malloc(pointer(dptr), bytesize);
  });
}

MUresult muMemAllocPitch_v2(MUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes) {
  return context_call([&](Runtime&) {
    const bool good = WidthInBytes != 0 && Height != 0 &&
                      (ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16);
    if (!good) return musaErrorInvalidValue;
    return musa::malloc_pitch(pointer(dptr), pPitch, WidthInBytes, Height);
  });
}

IN_CONTEXT(1, muMemFree_v2, free)

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

IN_CONTEXT(1, muMemFreeHost, free_host)

MUresult muMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue : musa::host_alloc(pp, bytesize, Flags);
  });
}

IN_CONTEXT(3, muMemHostGetDevicePointer_v2, host_get_device_pointer)
IN_CONTEXT(2, muMemHostGetFlags, host_get_flags)
IN_CONTEXT(3, muMemHostRegister_v2, host_register)
IN_CONTEXT(1, muMemHostUnregister, host_unregister)

MUresult muMemAllocManaged(MUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return context_call([&](Runtime&) {
    return bytesize == 0 ? musaErrorInvalidValue
                         : musa::malloc_managed(pointer(dptr), bytesize, flags);
  });
}

IN_CONTEXT(2, muIpcGetMemHandle, ipc_get_mem_handle)
IN_CONTEXT(3, muIpcOpenMemHandle_v2, ipc_open_mem_handle)
IN_CONTEXT(1, muIpcCloseMemHandle, ipc_close_mem_handle)
IN_CONTEXT(2, muIpcGetEventHandle, ipc_get_event_handle)
IN_CONTEXT(2, muIpcOpenEventHandle, ipc_open_event_handle)
IN_CONTEXT(4, muMemAdvise, mem_advise)
IN_CONTEXT(5, muMemRangeGetAttribute, mem_range_get_attribute)
IN_CONTEXT(6, muMemRangeGetAttributes, mem_range_get_attributes)
