// The checks that a device makes of a launch.
#include <set>

#include "src/host/musa/device_properties.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

bool fits(const dim3& size, const int* limits) {
  const auto within = [](unsigned int extent, int limit) {
    return extent >= 1 && extent <= static_cast<unsigned int>(limit);
  };
  return within(size.x, limits[0]) && within(size.y, limits[1]) && within(size.z, limits[2]);
}

musaError_t check_shape(Runtime& runtime, const dim3& grid, const dim3& block,
                        std::size_t shared_bytes, musaStream_t stream) {
  if (resolve_stream(runtime, stream) == nullptr) return musaErrorInvalidResourceHandle;
  MUSA_RETURN_IF_ERROR(runtime.current().fault.load());
  const musaDeviceProp& prop = runtime.current().properties;
  if (!fits(grid, prop.maxGridSize) || !fits(block, prop.maxThreadsDim) ||
      1ULL * block.x * block.y * block.z > static_cast<unsigned int>(prop.maxThreadsPerBlock)) {
    return musaErrorInvalidConfiguration;
  }
  return shared_bytes <= prop.sharedMemPerBlockOptin ? musaSuccess : musaErrorInvalidValue;
}

// All launches must use the same function and shape, each on a different device.
musaError_t check_all(Runtime& runtime, const musaLaunchParams* launches, unsigned int count,
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
    MUSA_RETURN_IF_ERROR(
        check_shape(runtime, launch.gridDim, launch.blockDim, launch.sharedMem, launch.stream));
  }
  return musaSuccess;
}

}  // namespace

musaError_t check_launch(dim3 grid, dim3 block, std::size_t shared_bytes, musaStream_t stream) {
  return api(
      [&](Runtime& runtime) { return check_shape(runtime, grid, block, shared_bytes, stream); });
}

musaError_t check_launches(const musaLaunchParams* launches, unsigned int count,
                           unsigned int flags) {
  return api([&](Runtime& runtime) { return check_all(runtime, launches, count, flags); });
}

}  // namespace musa
