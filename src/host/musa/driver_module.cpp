// Images of device code. The device runs none, so no module and no function ever exists.
#include <unistd.h>

#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

// Neither an image for MUSA nor one for another device can run here.
MUresult load(const MUmodule* module, const void* image) {
  return context_call([&](Runtime&) {
    return module == nullptr || image == nullptr ? musaErrorInvalidValue
                                                 : musaErrorNoKernelImageForDevice;
  });
}

MUresult no_such_handle(bool arguments_good) {
  return context_call([&](Runtime&) {
    return arguments_good ? musaErrorInvalidResourceHandle : musaErrorInvalidValue;
  });
}

}  // namespace
}  // namespace musa

MUresult muModuleLoad(MUmodule* module, const char* fname) {
  return musa::context_call([&](musa::Runtime&) {
    if (module == nullptr || fname == nullptr) return musaErrorInvalidValue;
    return access(fname, R_OK) == 0 ? musaErrorNoKernelImageForDevice : musaErrorFileNotFound;
  });
}

MUresult muModuleLoadData(MUmodule* module, const void* image) { return musa::load(module, image); }

MUresult muModuleLoadDataEx(MUmodule* module, const void* image, unsigned int numOptions,
                            MUjit_option* options, void** optionValues) {
  const bool good = numOptions == 0 || (options != nullptr && optionValues != nullptr);
  return musa::load(good ? module : nullptr, image);
}

MUresult muModuleLoadFatBinary(MUmodule* module, const void* fatMubin) {
  return musa::load(module, fatMubin);
}

MUresult muLaunchKernel(MUfunction, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, MUstream hStream,
                        void**, void**) {
  return musa::context_call([&](musa::Runtime&) {
    const dim3 grid{gridDimX, gridDimY, gridDimZ};
    const dim3 block{blockDimX, blockDimY, blockDimZ};
    const musaError_t checked = musa::check_launch(grid, block, sharedMemBytes, hStream);
    return checked != musaSuccess ? checked : musaErrorInvalidResourceHandle;
  });
}

MUresult muLaunchKernelEx(const MUlaunchConfig* config, MUfunction f, void** kernelParams,
                          void** extra) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
    return musa::no_such_handle(false);
  }
  return muLaunchKernel(f, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                        config->blockDimY, config->blockDimZ, config->sharedMemBytes,
                        config->hStream, kernelParams, extra);
}

// The functions on modules and functions, with the arguments for which they would look for the
// handle.
#define ON_HANDLE(count, function, arguments_good) \
  HOST_ANSWER(MUresult, count, function, musa::no_such_handle(arguments_good))
ON_HANDLE(1, muModuleUnload, true)
ON_HANDLE(3, muModuleGetFunction, a0 != nullptr && a2 != nullptr)
// Either result is optional, but not both.
ON_HANDLE(4, muModuleGetGlobal_v2, (a0 != nullptr || a1 != nullptr) && a3 != nullptr)
ON_HANDLE(3, muModuleGetTexRef, a0 != nullptr && a2 != nullptr)
ON_HANDLE(3, muModuleGetSurfRef, a0 != nullptr && a2 != nullptr)
ON_HANDLE(3, muFuncGetAttribute, a0 != nullptr)
ON_HANDLE(3, muFuncSetAttribute, true)
ON_HANDLE(2, muFuncSetCacheConfig, true)
ON_HANDLE(2, muFuncSetSharedMemConfig, true)
ON_HANDLE(2, muFuncGetModule, a0 != nullptr)
ON_HANDLE(4, muOccupancyMaxActiveBlocksPerMultiprocessor, a0 != nullptr)
ON_HANDLE(5, muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, a0 != nullptr)
ON_HANDLE(6, muOccupancyMaxPotentialBlockSize, a0 != nullptr && a1 != nullptr)
ON_HANDLE(7, muOccupancyMaxPotentialBlockSizeWithFlags, a0 != nullptr && a1 != nullptr)
