#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaMemPoolExportToShareableHandle(void* shareableHandle, musaMemPool_t memPool,
                                               enum musaMemAllocationHandleType handleType,
                                               unsigned int flags) {
  return recorded(
      musa::mem_pool_export_to_shareable_handle(shareableHandle, memPool, handleType, flags));
}

musaError_t musaMemPoolImportFromShareableHandle(musaMemPool_t* memPool, void* shareableHandle,
                                                 enum musaMemAllocationHandleType handleType,
                                                 unsigned int flags) {
  return recorded(
      musa::mem_pool_import_from_shareable_handle(memPool, shareableHandle, handleType, flags));
}

musaError_t musaMemPoolExportPointer(struct musaMemPoolPtrExportData* exportData, void* ptr) {
  return recorded(musa::mem_pool_export_pointer(exportData, ptr));
}

musaError_t musaMemPoolImportPointer(void** ptr, musaMemPool_t memPool,
                                     struct musaMemPoolPtrExportData* exportData) {
  return recorded(musa::mem_pool_import_pointer(ptr, memPool, exportData));
}

musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t* handle, void* devPtr) {
  return recorded(musa::ipc_get_mem_handle(handle, devPtr));
}

musaError_t musaIpcOpenMemHandle(void** devPtr, musaIpcMemHandle_t handle, unsigned int flags) {
  return recorded(musa::ipc_open_mem_handle(devPtr, handle, flags));
}

musaError_t musaIpcCloseMemHandle(void* devPtr) {
  return recorded(musa::ipc_close_mem_handle(devPtr));
}

musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t* handle, musaEvent_t event) {
  return recorded(musa::ipc_get_event_handle(handle, event));
}

musaError_t musaIpcOpenEventHandle(musaEvent_t* event, musaIpcEventHandle_t handle) {
  return recorded(musa::ipc_open_event_handle(event, handle));
}
