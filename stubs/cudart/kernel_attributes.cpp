// What programs ask about registered kernels that a kernel library has, and what they set.
#include <string.h>

#include "stubs/cudart/kernel_code.h"
#include "stubs/reporting/refusal.h"

using namespace torchada;

namespace {

// Members of cudaFuncAttributes and the attributes of MUSA's driver that they are.
struct Member {
  int attribute;
  unsigned offset;
  unsigned bytes;
};

constexpr Member kMembers[] = {
    {musa::MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, cuda::cudaFuncAttributes_sharedSizeBytes,
     sizeof(size_t)},
    {musa::MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, cuda::cudaFuncAttributes_constSizeBytes,
     sizeof(size_t)},
    {musa::MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, cuda::cudaFuncAttributes_localSizeBytes,
     sizeof(size_t)},
    {musa::MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, cuda::cudaFuncAttributes_maxThreadsPerBlock,
     sizeof(int)},
    {musa::MU_FUNC_ATTRIBUTE_NUM_REGS, cuda::cudaFuncAttributes_numRegs, sizeof(int)},
    {musa::MU_FUNC_ATTRIBUTE_PTX_VERSION, cuda::cudaFuncAttributes_ptxVersion, sizeof(int)},
    {musa::MU_FUNC_ATTRIBUTE_BINARY_VERSION, cuda::cudaFuncAttributes_binaryVersion, sizeof(int)},
    {musa::MU_FUNC_ATTRIBUTE_CACHE_MODE_CA, cuda::cudaFuncAttributes_cacheModeCA, sizeof(int)},
    {musa::MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
     cuda::cudaFuncAttributes_maxDynamicSharedSizeBytes, sizeof(int)},
    {musa::MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
     cuda::cudaFuncAttributes_preferredShmemCarveout, sizeof(int)},
};

}  // namespace

extern "C" {

int torchada_registered_cudaFuncGetAttributes(void* attributes, const void* kernel) {
  if (!attributes) return fail(kInvalidValue);
  return with_code("cudaFuncGetAttributes", kernel, [=](const kernels::Code& code) {
    alignas(size_t) unsigned char out[cuda::sizeof_cudaFuncAttributes] = {};
    for (const Member& member : kMembers) {
      int value = 0;
      const int status = muFuncGetAttribute(&value, member.attribute, code.function);
      if (status != 0) return status;
      const auto wide = static_cast<size_t>(value);
      memcpy(out + member.offset, &wide, member.bytes);
    }
    memcpy(attributes, out, sizeof out);
    return 0;
  });
}

// The runtime's attributes have the driver's numbers.
int torchada_registered_cudaFuncSetAttribute(const void* kernel, int attribute, int value) {
  static_assert(cuda::cudaFuncAttributeMaxDynamicSharedMemorySize ==
                musa::MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  static_assert(cuda::cudaFuncAttributePreferredSharedMemoryCarveout ==
                musa::MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  return with_code("cudaFuncSetAttribute", kernel, [=](const kernels::Code& code) {
    return muFuncSetAttribute(code.function, attribute, value);
  });
}

#if TORCHADA_ABI >= 12
// MUSA's kernel belongs to one context, so only its device can be meant.
int torchada_registered_cudaKernelSetAttributeForDevice(const void* kernel, int attribute,
                                                        int value, int device) {
  constexpr const char* kName = "cudaKernelSetAttributeForDevice";
  return with_code(kName, kernel, [=](const kernels::Code& code) {
    int current = 0;
    if (const int status = muCtxGetDevice(&current)) return status;
    if (device == current) return muFuncSetAttribute(code.function, attribute, value);
    ValueText text;
    text << device;
    return refuse_argument(kName, "device", text.c_str(),
                           "a kernel's attributes are set on the current device only",
                           kNotSupported);
  });
}
#endif

int torchada_registered_cudaFuncSetCacheConfig(const void* kernel, int config) {
  return with_code("cudaFuncSetCacheConfig", kernel, [=](const kernels::Code& code) {
    return muFuncSetCacheConfig(code.function, config);
  });
}

int torchada_registered_cudaFuncSetSharedMemConfig(const void* kernel, int config) {
  return with_code("cudaFuncSetSharedMemConfig", kernel, [=](const kernels::Code& code) {
    return muFuncSetSharedMemConfig(code.function, config);
  });
}

int torchada_registered_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                      const void* kernel,
                                                                      int threads,
                                                                      size_t shared_bytes) {
  return with_code("cudaOccupancyMaxActiveBlocksPerMultiprocessor", kernel,
                   [=](const kernels::Code& code) {
                     return muOccupancyMaxActiveBlocksPerMultiprocessor(blocks, code.function,
                                                                        threads, shared_bytes);
                   });
}

int torchada_registered_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* kernel, int threads, size_t shared_bytes, unsigned flags) {
  return with_code("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", kernel,
                   [=](const kernels::Code& code) {
                     return muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                         blocks, code.function, threads, shared_bytes, flags);
                   });
}

// Handles that the driver's functions take, and the runtime's, too: see guard.cpp.
int torchada_registered_cudaGetFuncBySymbol(void** function, const void* kernel) {
  if (!function) return fail(kInvalidValue);
  return with_code("cudaGetFuncBySymbol", kernel,
                   [=](const kernels::Code& code) { return kernels::give(code, function); });
}

int torchada_registered_cudaGetKernel(void** handle, const void* kernel) {
  if (!handle) return fail(kInvalidValue);
  return with_code("cudaGetKernel", kernel,
                   [=](const kernels::Code& code) { return kernels::give(code, handle); });
}

}  // extern "C"
