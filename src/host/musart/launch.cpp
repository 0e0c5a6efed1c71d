// Kernels. A CPU runs no device code, so no function is a device function, and every call that
// names one says so.
#include "error.h"

namespace {

musaError_t no_such_function() {
  return musart::api_call([] { return musaErrorInvalidDeviceFunction; });
}

// The result pointer is looked at first, as everywhere else.
musaError_t no_such_function_for(const void* result) {
  return musart::api_call(
      [&] { return result == nullptr ? musaErrorInvalidValue : musaErrorInvalidDeviceFunction; });
}

// Compiled programs register their device code before main and keep what they get back; it is never
// looked into.
void* registered_image = nullptr;

}  // namespace

extern "C" {

MUSARTAPI void** __musaRegisterFatBinary(void* fatBinary);
MUSARTAPI void __musaRegisterFunction(void** fatBinaryHandle, const char* hostFunction,
                                      char* deviceFunction, const char* deviceName, int threadLimit,
                                      uint3* threadIds, uint3* blockIds, dim3* blockDim,
                                      dim3* gridDim, int* warpSize);

void** __musaRegisterFatBinary(void*) { return &registered_image; }

void __musaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {}

}  // extern "C"

musaError_t musaLaunchKernel(const void*, dim3, dim3, void**, size_t, musaStream_t) {
  return no_such_function();
}

musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, const void*, void**) {
  return no_such_function_for(config);
}

musaError_t musaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, musaStream_t) {
  return no_such_function();
}

musaError_t musaFuncGetAttributes(struct musaFuncAttributes* attr, const void*) {
  return no_such_function_for(attr);
}

musaError_t musaFuncSetAttribute(const void*, enum musaFuncAttribute, int) {
  return no_such_function();
}

musaError_t musaFuncSetCacheConfig(const void*, enum musaFuncCache) { return no_such_function(); }

musaError_t musaFuncSetSharedMemConfig(const void*, enum musaSharedMemConfig) {
  return no_such_function();
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void*, int,
                                                          size_t) {
  return no_such_function_for(numBlocks);
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void*, int,
                                                                   size_t, unsigned int) {
  return no_such_function_for(numBlocks);
}

musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void*, int,
                                                      int) {
  return no_such_function_for(dynamicSmemSize);
}

musaError_t musaOccupancyMaxPotentialClusterSize(int* clusterSize, const void*,
                                                 const musaLaunchConfig_t*) {
  return no_such_function_for(clusterSize);
}

musaError_t musaOccupancyMaxActiveClusters(int* numClusters, const void*,
                                           const musaLaunchConfig_t*) {
  return no_such_function_for(numClusters);
}
