#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaMallocAsync(void** devPtr, size_t size, musaStream_t hStream) {
  return recorded(musa::malloc_async(devPtr, size, hStream));
}

musaError_t musaFreeAsync(void* devPtr, musaStream_t hStream) {
  return recorded(musa::free_async(devPtr, hStream));
}

musaError_t musaMallocFromPoolAsync(void** ptr, size_t size, musaMemPool_t memPool,
                                    musaStream_t stream) {
  return recorded(musa::malloc_from_pool_async(ptr, size, memPool, stream));
}

musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t* memPool, int device) {
  return recorded(musa::device_get_default_mem_pool(memPool, device));
}

musaError_t musaDeviceGetMemPool(musaMemPool_t* memPool, int device) {
  return recorded(musa::device_get_mem_pool(memPool, device));
}

musaError_t musaDeviceSetMemPool(int device, musaMemPool_t memPool) {
  return recorded(musa::device_set_mem_pool(device, memPool));
}

musaError_t musaMemPoolCreate(musaMemPool_t* memPool, const struct musaMemPoolProps* poolProps) {
  return recorded(musa::mem_pool_create(memPool, poolProps));
}

musaError_t musaMemPoolDestroy(musaMemPool_t memPool) {
  return recorded(musa::mem_pool_destroy(memPool));
}

musaError_t musaMemPoolTrimTo(musaMemPool_t memPool, size_t minBytesToKeep) {
  return recorded(musa::mem_pool_trim_to(memPool, minBytesToKeep));
}

musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void* value) {
  return recorded(musa::mem_pool_get_attribute(memPool, attr, value));
}

musaError_t musaMemPoolSetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void* value) {
  return recorded(musa::mem_pool_set_attribute(memPool, attr, value));
}

musaError_t musaMemPoolGetAccess(enum musaMemAccessFlags* flags, musaMemPool_t memPool,
                                 struct musaMemLocation* location) {
  return recorded(musa::mem_pool_get_access(flags, memPool, location));
}

musaError_t musaMemPoolSetAccess(musaMemPool_t memPool, const struct musaMemAccessDesc* descList,
                                 size_t count) {
  return recorded(musa::mem_pool_set_access(memPool, descList, count));
}
