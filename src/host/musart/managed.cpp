#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  return recorded(musa::malloc_managed(devPtr, size, flags));
}

musaError_t musaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                 musaStream_t stream) {
  return recorded(musa::mem_prefetch_async(devPtr, count, dstDevice, stream));
}

musaError_t musaMemAdvise(const void* devPtr, size_t count, enum musaMemoryAdvise advice,
                          int device) {
  return recorded(musa::mem_advise(devPtr, count, advice, device));
}

musaError_t musaMemRangeGetAttribute(void* data, size_t dataSize,
                                     enum musaMemRangeAttribute attribute, const void* devPtr,
                                     size_t count) {
  return recorded(musa::mem_range_get_attribute(data, dataSize, attribute, devPtr, count));
}

musaError_t musaMemPrefetchAsync_v2(const void* devPtr, size_t count,
                                    struct musaMemLocation location, unsigned int flags,
                                    musaStream_t stream) {
  return recorded(musa::mem_prefetch_async_v2(devPtr, count, location, flags, stream));
}

musaError_t musaMemAdvise_v2(const void* devPtr, size_t count, enum musaMemoryAdvise advice,
                             struct musaMemLocation location) {
  return recorded(musa::mem_advise_v2(devPtr, count, advice, location));
}

musaError_t musaMemRangeGetAttributes(void** data, size_t* dataSizes,
                                      enum musaMemRangeAttribute* attributes, size_t numAttributes,
                                      const void* devPtr, size_t count) {
  return recorded(
      musa::mem_range_get_attributes(data, dataSizes, attributes, numAttributes, devPtr, count));
}

musaError_t musaStreamAttachMemAsync(musaStream_t stream, void* devPtr, size_t length,
                                     unsigned int flags) {
  return recorded(musa::stream_attach_mem_async(stream, devPtr, length, flags));
}
