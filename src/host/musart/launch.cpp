// Launches. A CPU runs no device code. A launch first gets the checks that a device makes, and then
// fails because no image of the function exists.
#include <set>

#include "src/host/musart/device_properties.h"
#include "src/host/musart/handles.h"
#include "src/host/musart/kernel_registry.h"

namespace musart {
namespace {

bool fits(const dim3& size, const int* limits) {
  const auto within = [](unsigned int extent, int limit) {
    return extent >= 1 && extent <= static_cast<unsigned int>(limit);
  };
  return within(size.x, limits[0]) && within(size.y, limits[1]) && within(size.z, limits[2]);
}

musaError_t check_launch(Runtime& runtime, const dim3& grid, const dim3& block,
                         std::size_t shared_bytes, musaStream_t stream) {
  if (resolve_stream(runtime, stream) == nullptr) return musaErrorInvalidResourceHandle;
  MUSART_RETURN_IF_ERROR(runtime.current().fault.load());
  const musaDeviceProp prop = describe(runtime.current());
  if (!fits(grid, prop.maxGridSize) || !fits(block, prop.maxThreadsDim) ||
      1ULL * block.x * block.y * block.z > static_cast<unsigned int>(prop.maxThreadsPerBlock)) {
    return musaErrorInvalidConfiguration;
  }
  return shared_bytes <= prop.sharedMemPerBlockOptin ? musaSuccess : musaErrorInvalidValue;
}

musaError_t launch(const void* function, const dim3& grid, const dim3& block,
                   std::size_t shared_bytes, musaStream_t stream) {
  return api([&](Runtime& runtime) {
    MUSART_RETURN_IF_ERROR(check_launch(runtime, grid, block, shared_bytes, stream));
    return find_kernel(function) == nullptr ? musaErrorInvalidDeviceFunction
                                            : musaErrorNoKernelImageForDevice;
  });
}

// All launches must use the same function and shape, each on a different device.
musaError_t check_launches(Runtime& runtime, const musaLaunchParams* launches, unsigned int count,
                           unsigned int flags) {
  constexpr unsigned int kKnown =
      musaCooperativeLaunchMultiDeviceNoPreSync | musaCooperativeLaunchMultiDeviceNoPostSync;
  if (launches == nullptr || count == 0 || (flags & ~kKnown) != 0) return musaErrorInvalidValue;
  if (count > static_cast<unsigned int>(runtime.device_count())) return musaErrorInvalidDevice;
  std::set<int> devices;
  for (unsigned int i = 0; i < count; ++i) {
    const musaLaunchParams& launch = launches[i];
    const auto stream = resolve_stream(runtime, launch.stream);
    // A default stream does not tell its device.
    if (stream == nullptr || launch.stream == nullptr || launch.stream == musaStreamLegacy ||
        launch.stream == musaStreamPerThread) {
      return musaErrorInvalidResourceHandle;
    }
    if (!devices.insert(stream->device()).second) return musaErrorInvalidDevice;
    if (launch.func != launches->func) return musaErrorInvalidValue;
    MUSART_RETURN_IF_ERROR(
        check_launch(runtime, launch.gridDim, launch.blockDim, launch.sharedMem, launch.stream));
  }
  return musaSuccess;
}

}  // namespace
}  // namespace musart

using musart::record_error;

musaError_t musaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void**,
                             size_t sharedMem, musaStream_t stream) {
  return musart::launch(func, gridDim, blockDim, sharedMem, stream);
}

musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, const void* func, void**) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
    return record_error(musaErrorInvalidValue);
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
  return musart::api([&](musart::Runtime& runtime) {
    MUSART_RETURN_IF_ERROR(musart::check_launches(runtime, launchParamsList, numDevices, flags));
    return musart::find_kernel(launchParamsList->func) == nullptr ? musaErrorInvalidDeviceFunction
                                                                  : musaErrorNoKernelImageForDevice;
  });
}
