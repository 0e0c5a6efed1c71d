#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaMemset(void* devPtr, int value, size_t count) {
  return recorded(musa::memset(devPtr, value, count));
}

musaError_t musaMemsetAsync(void* devPtr, int value, size_t count, musaStream_t stream) {
  return recorded(musa::memset_async(devPtr, value, count, stream));
}

musaError_t musaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return recorded(musa::memset_2d(devPtr, pitch, value, width, height));
}

musaError_t musaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                              musaStream_t stream) {
  return recorded(musa::memset_2d_async(devPtr, pitch, value, width, height, stream));
}

musaError_t musaMemset3D(struct musaPitchedPtr pitchedDevPtr, int value, struct musaExtent extent) {
  return recorded(musa::memset_3d(pitchedDevPtr, value, extent));
}

musaError_t musaMemset3DAsync(struct musaPitchedPtr pitchedDevPtr, int value,
                              struct musaExtent extent, musaStream_t stream) {
  return recorded(musa::memset_3d_async(pitchedDevPtr, value, extent, stream));
}
