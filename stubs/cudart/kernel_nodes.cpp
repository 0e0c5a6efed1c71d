// Nodes of graphs that launch registered kernels which a kernel library has. The runtime's graphs
// and nodes are the driver's. Its description of a node is the driver's, too, but for the kernel.
#include <stddef.h>

#include "stubs/adapting/edge_data.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/kernel_code.h"
#include "stubs/reporting/refusal.h"

using namespace torchada;

namespace {

// cudaKernelNodeParams, and MUSA_KERNEL_NODE_PARAMS.
struct Launch {
  const void* kernel;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void** arguments;
  void** extra;
};
static_assert(sizeof(Launch) == cuda::sizeof_cudaKernelNodeParams);
static_assert(offsetof(Launch, grid) == cuda::cudaKernelNodeParams_gridDim);
static_assert(offsetof(Launch, block) == cuda::cudaKernelNodeParams_blockDim);
static_assert(offsetof(Launch, shared_bytes) == cuda::cudaKernelNodeParams_sharedMemBytes);
static_assert(offsetof(Launch, arguments) == cuda::cudaKernelNodeParams_kernelParams);
static_assert(offsetof(Launch, extra) == cuda::cudaKernelNodeParams_extra);
static_assert(sizeof(Launch) == musa::sizeof_MUSA_KERNEL_NODE_PARAMS);
static_assert(offsetof(Launch, grid) == musa::MUSA_KERNEL_NODE_PARAMS_gridDimX);
static_assert(offsetof(Launch, block) == musa::MUSA_KERNEL_NODE_PARAMS_blockDimX);
static_assert(offsetof(Launch, shared_bytes) == musa::MUSA_KERNEL_NODE_PARAMS_sharedMemBytes);
static_assert(offsetof(Launch, arguments) == musa::MUSA_KERNEL_NODE_PARAMS_kernelParams);
static_assert(offsetof(Launch, extra) == musa::MUSA_KERNEL_NODE_PARAMS_extra);

// Calls use(launch) with the description that has MUSA's kernel.
template <typename Use>
int with_launch(const char* function, const Launch& launch, Use use) {
  return with_code(function, launch.kernel, [&](const kernels::Code& code) {
    Launch own = launch;
    own.kernel = code.function;
    return use(&own);
  });
}

int add(const char* function, void** node, void* graph, const void** before, size_t count,
        const Launch& launch) {
  return with_launch(function, launch, [=](const Launch* own) {
    return muGraphAddKernelNode(node, graph, before, count, own);
  });
}

int set(const char* function, void* node, const Launch& launch) {
  return with_launch(function, launch,
                     [=](const Launch* own) { return muGraphKernelNodeSetParams(node, own); });
}

int set_in(const char* function, void* exec, void* node, const Launch& launch) {
  return with_launch(function, launch, [=](const Launch* own) {
    return muGraphExecKernelNodeSetParams(exec, node, own);
  });
}

#if TORCHADA_ABI >= 12
// cudaGraphNodeParams, and cudaKernelNodeParamsV2 in it. The guard found the kernel in it.
struct NodeParams {
  int type;
  int reserved[3];
  Launch launch;
  void* context;  // Since CUDA 13; before, the next bytes are reserved.
};
static_assert(offsetof(NodeParams, launch) == cuda::cudaGraphNodeParams_kernel);
static_assert(cuda::cudaKernelNodeParamsV2_extra == cuda::cudaKernelNodeParams_extra);
#if TORCHADA_ABI >= 13
static_assert(offsetof(NodeParams, context) ==
              cuda::cudaGraphNodeParams_kernel + cuda::cudaKernelNodeParamsV2_ctx);
#endif

// 0, or the status to return because MUSA's nodes cannot be like that.
int check(const char* function, const NodeParams& params) {
  if (params.type != cuda::cudaGraphNodeTypeKernel) return fail(kInvalidValue);
  if (TORCHADA_ABI < 13 || !params.context) return 0;
  return refuse_argument(function, "nodeParams->kernel.ctx", "(not null)",
                         "MUSA's nodes run in the current context", kNotSupported);
}

int add_with_edges(const char* function, void** node, void* graph, const void** before,
                   const void* edges, size_t count, const NodeParams& params) {
  if (const int status = check(function, params)) return status;
  if (const int status = refuse_edge_data(function, edges, count * cuda::sizeof_cudaGraphEdgeData,
                                          kNotSupported)) {
    return status;
  }
  return add(function, node, graph, before, count, params.launch);
}
#endif

}  // namespace

extern "C" {

int torchada_registered_cudaGraphAddKernelNode(void** node, void* graph, const void** before,
                                               size_t count, const Launch* launch) {
  return add("cudaGraphAddKernelNode", node, graph, before, count, *launch);
}

int torchada_registered_cudaGraphKernelNodeSetParams(void* node, const Launch* launch) {
  return set("cudaGraphKernelNodeSetParams", node, *launch);
}

int torchada_registered_cudaGraphExecKernelNodeSetParams(void* exec, void* node,
                                                         const Launch* launch) {
  return set_in("cudaGraphExecKernelNodeSetParams", exec, node, *launch);
}

// The program gets back the address by which it knows the kernel.
int torchada_adapter_cudaGraphKernelNodeGetParams(void* node, Launch* out) {
  Launch launch = {};
  if (out && kernels::knows_functions() && muGraphKernelNodeGetParams(node, &launch) == 0) {
    if (const uint32_t number = kernels::number_of_function(launch.kernel)) {
      if (const void* const host = kernels::host_of(number)) launch.kernel = host;
      *out = launch;
      return 0;
    }
  }
  return told("cudaGraphKernelNodeGetParams", musaGraphKernelNodeGetParams(node, out));
}

#if TORCHADA_ABI == 12
int torchada_registered_cudaGraphAddNode(void** node, void* graph, const void** before,
                                         size_t count, const NodeParams* params) {
  return add_with_edges("cudaGraphAddNode", node, graph, before, nullptr, count, *params);
}

int torchada_registered_cudaGraphAddNode_v2(void** node, void* graph, const void** before,
                                            const void* edges, size_t count,
                                            const NodeParams* params) {
  return add_with_edges("cudaGraphAddNode_v2", node, graph, before, edges, count, *params);
}
#elif TORCHADA_ABI > 12
int torchada_registered_cudaGraphAddNode(void** node, void* graph, const void** before,
                                         const void* edges, size_t count,
                                         const NodeParams* params) {
  return add_with_edges("cudaGraphAddNode", node, graph, before, edges, count, *params);
}
#endif

#if TORCHADA_ABI >= 12
int torchada_registered_cudaGraphNodeSetParams(void* node, const NodeParams* params) {
  constexpr const char* kName = "cudaGraphNodeSetParams";
  if (const int status = check(kName, *params)) return status;
  return set(kName, node, params->launch);
}

int torchada_registered_cudaGraphExecNodeSetParams(void* exec, void* node,
                                                   const NodeParams* params) {
  constexpr const char* kName = "cudaGraphExecNodeSetParams";
  if (const int status = check(kName, *params)) return status;
  return set_in(kName, exec, node, params->launch);
}
#endif

}  // extern "C"
