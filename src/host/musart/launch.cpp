// Launches. The runtime runs no device function: what programs register is for a GPU. A launch gets
// the checks that a device makes before it looks for the function.
#include "src/host/musart/call.h"
#include "src/host/musart/registration.h"
#include "src/host/shared/forward.h"

namespace musart {
namespace {

musaError_t no_function(const void* function) {
  return why_no_code(function, musaErrorInvalidDeviceFunction);
}

musaError_t launch(const void* function, const dim3& grid, const dim3& block,
                   std::size_t shared_bytes, musaStream_t stream) {
  return call([&](int) {
    const musaError_t checked = musa::check_launch(grid, block, shared_bytes, stream);
    return checked != musaSuccess ? checked : no_function(function);
  });
}

bool is_configuration(const musaLaunchConfig_t* config) {
  return config != nullptr && (config->attrs != nullptr || config->numAttrs == 0);
}

// What a function about a device function answers.
musaError_t no_such_function(const void* function, bool arguments_good) {
  return call([&](int) { return arguments_good ? no_function(function) : musaErrorInvalidValue; });
}

}  // namespace
}  // namespace musart

using musart::no_such_function;

musaError_t musaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void**,
                             size_t sharedMem, musaStream_t stream) {
  return musart::launch(func, gridDim, blockDim, sharedMem, stream);
}

musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, const void* func, void**) {
  if (!musart::is_configuration(config)) return musart::recorded(musaErrorInvalidValue);
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
    return checked != musaSuccess ? checked : musart::no_function(launchParamsList->func);
  });
}

// Without functions, there are no handles of functions.
musaError_t musaKernelSetAttributeForDevice(musaKernel_t, enum musaFuncAttribute, int, int) {
  return musart::call([](int) { return musaErrorInvalidResourceHandle; });
}

// The other functions, with the arguments for which they would look for the device function.
#define ABOUT_FUNCTION(count, function, which, arguments_good) \
  HOST_ANSWER(musaError_t, count, function, no_such_function(which, arguments_good))
ABOUT_FUNCTION(2, musaFuncGetAttributes, a1, a0 != nullptr)
ABOUT_FUNCTION(3, musaFuncSetAttribute, a0, true)
ABOUT_FUNCTION(2, musaFuncSetCacheConfig, a0, true)
ABOUT_FUNCTION(2, musaFuncSetSharedMemConfig, a0, true)
ABOUT_FUNCTION(2, musaFuncGetName, a1, a0 != nullptr && a1 != nullptr)
ABOUT_FUNCTION(4, musaFuncGetParamInfo, a0, a2 != nullptr && a3 != nullptr)
ABOUT_FUNCTION(2, musaGetFuncBySymbol, a1, a0 != nullptr && a1 != nullptr)
ABOUT_FUNCTION(2, musaGetKernel, a1, a0 != nullptr && a1 != nullptr)
ABOUT_FUNCTION(4, musaOccupancyMaxActiveBlocksPerMultiprocessor, a1, a0 != nullptr && a2 > 0)
ABOUT_FUNCTION(5, musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, a1,
               a0 != nullptr && a2 > 0 && (a4 & ~musaOccupancyDisableCachingOverride) == 0)
ABOUT_FUNCTION(4, musaOccupancyAvailableDynamicSMemPerBlock, a1, a0 != nullptr && a2 > 0 && a3 > 0)
ABOUT_FUNCTION(3, musaOccupancyMaxPotentialClusterSize, a1,
               a0 != nullptr && musart::is_configuration(a2))
ABOUT_FUNCTION(3, musaOccupancyMaxActiveClusters, a1, a0 != nullptr && musart::is_configuration(a2))
