#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaMalloc(void** devPtr, size_t size) { return recorded(musa::malloc(devPtr, size)); }

musaError_t musaFree(void* devPtr) { return recorded(musa::free(devPtr)); }

musaError_t musaMallocHost(void** ptr, size_t size) {
  return recorded(musa::malloc_host(ptr, size));
}

musaError_t musaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return recorded(musa::host_alloc(pHost, size, flags));
}

musaError_t musaFreeHost(void* ptr) { return recorded(musa::free_host(ptr)); }

musaError_t musaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return recorded(musa::host_register(ptr, size, flags));
}

musaError_t musaHostUnregister(void* ptr) { return recorded(musa::host_unregister(ptr)); }

musaError_t musaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  return recorded(musa::host_get_device_pointer(pDevice, pHost, flags));
}

musaError_t musaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return recorded(musa::host_get_flags(pFlags, pHost));
}

musaError_t musaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  return recorded(musa::malloc_pitch(devPtr, pitch, width, height));
}

musaError_t musaMalloc3D(struct musaPitchedPtr* pitchedDevPtr, struct musaExtent extent) {
  return recorded(musa::malloc_3d(pitchedDevPtr, extent));
}

musaError_t musaMemGetInfo(size_t* free, size_t* total) {
  return recorded(musa::mem_get_info(free, total));
}

musaError_t musaPointerGetAttributes(struct musaPointerAttributes* attributes, const void* ptr) {
  return recorded(musa::pointer_get_attributes(attributes, ptr));
}
