// Structs of graph nodes that are longer in CUDA 12 than in MUSA.
#pragma once

#include <stddef.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace torchada::driver {

// CUDA_KERNEL_NODE_PARAMS_v2. What MUSA has comes first.
struct KernelParams {
  alignas(8) unsigned char shared[musa::sizeof_MUSA_KERNEL_NODE_PARAMS];
  void* kernel;
  void* context;
};
static_assert(sizeof(KernelParams) == cuda::sizeof_CUDA_KERNEL_NODE_PARAMS);
static_assert(offsetof(KernelParams, kernel) == cuda::CUDA_KERNEL_NODE_PARAMS_kern);
static_assert(offsetof(KernelParams, context) == cuda::CUDA_KERNEL_NODE_PARAMS_ctx);
static_assert(musa::MUSA_KERNEL_NODE_PARAMS_gridDimX == cuda::CUDA_KERNEL_NODE_PARAMS_gridDimX);
static_assert(musa::MUSA_KERNEL_NODE_PARAMS_sharedMemBytes ==
              cuda::CUDA_KERNEL_NODE_PARAMS_sharedMemBytes);
static_assert(musa::MUSA_KERNEL_NODE_PARAMS_kernelParams ==
              cuda::CUDA_KERNEL_NODE_PARAMS_kernelParams);
static_assert(musa::MUSA_KERNEL_NODE_PARAMS_extra == cuda::CUDA_KERNEL_NODE_PARAMS_extra);

// 0, or the status to return because of a member that MUSA lacks.
inline int refuse_members(const char* function, const KernelParams* params) {
  if (!params) return fail(kInvalid);
  if (params->kernel) {
    return refuse_argument(function, "nodeParams->kern", "(not null)",
                           "MUSA's nodes name a kernel by func", kUnsupported);
  }
  if (params->context) {
    return refuse_argument(function, "nodeParams->ctx", "(not null)",
                           "MUSA's nodes run in the current context", kUnsupported);
  }
  return 0;
}

// CUDA_MEM_ALLOC_NODE_PARAMS, the same on both sides but for what CUDA 12 made of reserved bytes.
static_assert(musa::sizeof_MUSA_MEM_ALLOC_NODE_PARAMS == cuda::sizeof_CUDA_MEM_ALLOC_NODE_PARAMS);
static_assert(musa::MUSA_MEM_ALLOC_NODE_PARAMS_accessDescs ==
              cuda::CUDA_MEM_ALLOC_NODE_PARAMS_accessDescs);
static_assert(musa::MUSA_MEM_ALLOC_NODE_PARAMS_bytesize ==
              cuda::CUDA_MEM_ALLOC_NODE_PARAMS_bytesize);
static_assert(musa::MUSA_MEM_ALLOC_NODE_PARAMS_dptr == cuda::CUDA_MEM_ALLOC_NODE_PARAMS_dptr);
static_assert(musa::MUmemPoolProps_location == cuda::CUmemPoolProps_location);

inline constexpr size_t kPoolProps = cuda::CUDA_MEM_ALLOC_NODE_PARAMS_poolProps;
inline constexpr size_t kNewMembers = kPoolProps + musa::MUmemPoolProps_reserved;
inline constexpr size_t kAfterPoolProps = kPoolProps + musa::sizeof_MUmemPoolProps;

// 0, or the status to return because of a member that MUSA lacks. `params`:
// CUDA_MEM_ALLOC_NODE_PARAMS
inline int refuse_pool_members(const char* function, const void* params) {
  const unsigned char* const bytes = static_cast<const unsigned char*>(params);
  for (size_t i = kNewMembers; i < kAfterPoolProps; ++i) {
    if (bytes[i] == 0) continue;
    return refuse_argument(function, "nodeParams->poolProps", "(not 0 in new members)",
                           "MUSA's pools have no size limit and no usage", kUnsupported);
  }
  return 0;
}

}  // namespace torchada::driver
