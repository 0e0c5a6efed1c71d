// Launches. A CPU runs no device code. A launch first gets the checks that a device makes, and then
// fails because no image of the function exists.
#include "src/host/musart/call.h"
#include "src/host/musart/kernel_registry.h"

namespace musart {
namespace {

musaError_t launch(const void* function, const dim3& grid, const dim3& block,
                   std::size_t shared_bytes, musaStream_t stream) {
  return call([&](int) {
    const musaError_t checked = musa::check_launch(grid, block, shared_bytes, stream);
    if (checked != musaSuccess) return checked;
    return find_kernel(function) == nullptr ? musaErrorInvalidDeviceFunction
                                            : musaErrorNoKernelImageForDevice;
  });
}

}  // namespace
}  // namespace musart

musaError_t musaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void**,
                             size_t sharedMem, musaStream_t stream) {
  return musart::launch(func, gridDim, blockDim, sharedMem, stream);
}

musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, const void* func, void**) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
    return musart::recorded(musaErrorInvalidValue);
  }
  return musart::launch(func, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                        config->stream);
}

musaError_t musaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void**,
                                        size_t sharedMem, musaStream_t stream) {
  return musart::launch(func, gridDim, blockDim, sharedMem, stream);
}

musaError_t musaLaunchCooperativeKernelMultiDevice(struct musaLaunchParams* launchParamsList,
                                                   unsigned int numDevices, unsigned int flags) {
  return musart::call([&](int) {
    const musaError_t checked = musa::check_launches(launchParamsList, numDevices, flags);
    if (checked != musaSuccess) return checked;
    return musart::find_kernel(launchParamsList->func) == nullptr ? musaErrorInvalidDeviceFunction
                                                                  : musaErrorNoKernelImageForDevice;
  });
}
