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

MUresult muModuleUnload(MUmodule) { return musa::no_such_handle(true); }

MUresult muModuleGetFunction(MUfunction* hfunc, MUmodule, const char* name) {
  return musa::no_such_handle(hfunc != nullptr && name != nullptr);
}

// Either result is optional, but not both.
MUresult muModuleGetGlobal_v2(MUdeviceptr* dptr, size_t* bytes, MUmodule, const char* name) {
  return musa::no_such_handle((dptr != nullptr || bytes != nullptr) && name != nullptr);
}

MUresult muModuleGetGlobal(MUdeviceptr* dptr, size_t* bytes, MUmodule hmod, const char* name) {
  return muModuleGetGlobal_v2(dptr, bytes, hmod, name);
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

MUresult muModuleGetTexRef(MUtexref* pTexRef, MUmodule, const char* name) {
  return musa::no_such_handle(pTexRef != nullptr && name != nullptr);
}

MUresult muModuleGetSurfRef(MUsurfref* pSurfRef, MUmodule, const char* name) {
  return musa::no_such_handle(pSurfRef != nullptr && name != nullptr);
}

MUresult muFuncGetAttribute(int* pi, MUfunction_attribute, MUfunction) {
  return musa::no_such_handle(pi != nullptr);
}

MUresult muFuncSetAttribute(MUfunction, MUfunction_attribute, int) {
  return musa::no_such_handle(true);
}

MUresult muFuncSetCacheConfig(MUfunction, MUfunc_cache) { return musa::no_such_handle(true); }

MUresult muFuncSetSharedMemConfig(MUfunction, MUsharedconfig) { return musa::no_such_handle(true); }

MUresult muFuncGetModule(MUmodule* hmod, MUfunction) {
  return musa::no_such_handle(hmod != nullptr);
}

MUresult muOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, MUfunction, int, size_t) {
  return musa::no_such_handle(numBlocks != nullptr);
}

MUresult muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, MUfunction, int,
                                                              size_t, unsigned int) {
  return musa::no_such_handle(numBlocks != nullptr);
}

MUresult muOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, MUfunction,
                                          MUoccupancyB2DSize, size_t, int) {
  return musa::no_such_handle(minGridSize != nullptr && blockSize != nullptr);
}

MUresult muOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, MUfunction,
                                                   MUoccupancyB2DSize, size_t, int, unsigned int) {
  return musa::no_such_handle(minGridSize != nullptr && blockSize != nullptr);
}
