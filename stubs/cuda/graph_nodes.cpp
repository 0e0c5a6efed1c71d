// Nodes of graphs whose structs are longer in CUDA 12 than in MUSA.
#include <stddef.h>
#include <string.h>

#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/outcome.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

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
int refuse_members(const char* function, const KernelParams* params) {
  if (!params) return fail(torchada::kInvalid);
  if (params->kernel) {
    return torchada::refuse_argument(function, "nodeParams->kern", "(not null)",
                                     "MUSA's nodes name a kernel by func", torchada::kUnsupported);
  }
  if (params->context) {
    return torchada::refuse_argument(function, "nodeParams->ctx", "(not null)",
                                     "MUSA's nodes run in the current context",
                                     torchada::kUnsupported);
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

constexpr size_t kPoolProps = cuda::CUDA_MEM_ALLOC_NODE_PARAMS_poolProps;
constexpr size_t kNewMembers = kPoolProps + musa::MUmemPoolProps_reserved;
constexpr size_t kAfterPoolProps = kPoolProps + musa::sizeof_MUmemPoolProps;

}  // namespace

extern "C" {

int torchada_adapter_cuGraphAddKernelNode_v2(void** node, void* graph, const void** dependencies,
                                             size_t count, const KernelParams* params) {
  constexpr const char* kName = "cuGraphAddKernelNode_v2";
  if (const int status = refuse_members(kName, params)) return status;
  return outcome({kName, "muGraphAddKernelNode"},
                 muGraphAddKernelNode(node, graph, dependencies, count, params->shared));
}

int torchada_adapter_cuGraphKernelNodeGetParams_v2(void* node, KernelParams* out) {
  if (!out) return fail(torchada::kInvalid);
  KernelParams params = {};
  const int status = outcome({"cuGraphKernelNodeGetParams_v2", "muGraphKernelNodeGetParams"},
                             muGraphKernelNodeGetParams(node, params.shared));
  if (status == 0) *out = params;
  return status;
}

int torchada_adapter_cuGraphKernelNodeSetParams_v2(void* node, const KernelParams* params) {
  constexpr const char* kName = "cuGraphKernelNodeSetParams_v2";
  if (const int status = refuse_members(kName, params)) return status;
  return outcome({kName, "muGraphKernelNodeSetParams"},
                 muGraphKernelNodeSetParams(node, params->shared));
}

int torchada_adapter_cuGraphExecKernelNodeSetParams_v2(void* exec, void* node,
                                                       const KernelParams* params) {
  constexpr const char* kName = "cuGraphExecKernelNodeSetParams_v2";
  if (const int status = refuse_members(kName, params)) return status;
  return outcome({kName, "muGraphExecKernelNodeSetParams"},
                 muGraphExecKernelNodeSetParams(exec, node, params->shared));
}

int torchada_adapter_cuGraphAddMemAllocNode(void** node, void* graph, const void** dependencies,
                                            size_t count, void* params) {
  constexpr const char* kName = "cuGraphAddMemAllocNode";
  if (!params) return fail(torchada::kInvalid);
  const unsigned char* const bytes = static_cast<const unsigned char*>(params);
  for (size_t i = kNewMembers; i < kAfterPoolProps; ++i) {
    if (bytes[i] == 0) continue;
    return torchada::refuse_argument(kName, "nodeParams->poolProps", "(not 0 in new members)",
                                     "MUSA's pools have no size limit and no usage",
                                     torchada::kUnsupported);
  }
  return outcome({kName, "muGraphAddMemAllocNode"},
                 muGraphAddMemAllocNode(node, graph, dependencies, count, params));
}

}  // extern "C"
