// Nodes of graphs whose kind is an argument. MUSA has a function for each kind.
#include <stddef.h>
#include <string.h>

#include "facts.h"
#include "stubs/adapting/edge_data.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/node_params.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::KernelParams;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// CUgraphNodeParams.
struct NodeParams {
  int type;
  int reserved[3];
  alignas(
      8) unsigned char of_kind[cuda::CUgraphNodeParams_reserved2 - cuda::CUgraphNodeParams_asBytes];
};
static_assert(offsetof(NodeParams, of_kind) == cuda::CUgraphNodeParams_kernel);
static_assert(offsetof(NodeParams, of_kind) == cuda::CUgraphNodeParams_free);

// MUSA's structs are the beginnings of CUDA's.
static_assert(musa::MUSA_MEMSET_NODE_PARAMS_value == cuda::CUDA_MEMSET_NODE_PARAMS_v2_value);
static_assert(musa::MUSA_MEMSET_NODE_PARAMS_height == cuda::CUDA_MEMSET_NODE_PARAMS_v2_height);
static_assert(musa::sizeof_MUSA_MEMSET_NODE_PARAMS == cuda::CUDA_MEMSET_NODE_PARAMS_v2_ctx);
static_assert(musa::MUSA_HOST_NODE_PARAMS_userData == cuda::CUDA_HOST_NODE_PARAMS_v2_userData);
static_assert(musa::sizeof_MUSA_HOST_NODE_PARAMS == cuda::CUDA_HOST_NODE_PARAMS_v2_syncMode);
static_assert(cuda::CUDA_KERNEL_NODE_PARAMS_v3_ctx == cuda::CUDA_KERNEL_NODE_PARAMS_ctx);
static_assert(cuda::sizeof_CUDA_MEM_ALLOC_NODE_PARAMS_v2 ==
              cuda::sizeof_CUDA_MEM_ALLOC_NODE_PARAMS);
static_assert(cuda::CUDA_MEM_ALLOC_NODE_PARAMS_v2_dptr == cuda::CUDA_MEM_ALLOC_NODE_PARAMS_dptr);

// A member at an offset of one kind's struct.
template <typename T>
T member(const NodeParams& params, size_t offset) {
  T out;
  memcpy(&out, params.of_kind + offset, sizeof out);
  return out;
}

const KernelParams* kernel_of(const NodeParams& params) {
  return reinterpret_cast<const KernelParams*>(params.of_kind);
}

const void* copy_of(const NodeParams& params) {
  return params.of_kind + cuda::CUDA_MEMCPY_NODE_PARAMS_copyParams;
}

int refuse_member(const char* function, const char* name, const char* reason) {
  return torchada::refuse_argument(function, name, "(not null)", reason, torchada::kUnsupported);
}

int refuse_kind(const char* function, int type) {
  if (type < 0 || type > cuda::CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH) return fail(torchada::kInvalid);
  return torchada::refuse_argument(
      function, "nodeParams->type", torchada::enumerator_text("CUgraphNodeType", type).c_str(),
      "no public source gives such a function of MUSA", torchada::kUnsupported);
}

// 0, or the status to return because MUSA's struct cannot say what the caller's says.
int check(const char* function, const NodeParams* params) {
  constexpr const char* kCurrent = "MUSA's nodes run in the current context";
  if (!params) return fail(torchada::kInvalid);
  switch (params->type) {
    case cuda::CU_GRAPH_NODE_TYPE_KERNEL:
      return torchada::driver::refuse_members(function, kernel_of(*params));
    case cuda::CU_GRAPH_NODE_TYPE_MEMCPY:
      return member<int>(*params, cuda::CUDA_MEMCPY_NODE_PARAMS_flags) == 0
                 ? 0
                 : fail(torchada::kInvalid);
    case cuda::CU_GRAPH_NODE_TYPE_HOST:
      return member<void*>(*params, cuda::CUDA_HOST_NODE_PARAMS_v2_ctx)
                 ? refuse_member(function, "nodeParams->host.ctx", kCurrent)
                 : 0;
    case cuda::CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return member<void*>(*params, cuda::CUDA_EVENT_RECORD_NODE_PARAMS_ctx)
                 ? refuse_member(function, "nodeParams->eventRecord.ctx", kCurrent)
                 : 0;
    case cuda::CU_GRAPH_NODE_TYPE_GRAPH:
      return member<int>(*params, cuda::CUDA_CHILD_GRAPH_NODE_PARAMS_ownership) != 0
                 ? refuse_member(function, "nodeParams->graph.ownership",
                                 "MUSA's nodes have copies of their graphs")
                 : 0;
    case cuda::CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return torchada::driver::refuse_pool_members(function, params->of_kind);
    default:
      return 0;
  }
}

int add(const char* function, void** node, void* graph, const void** before, size_t count,
        NodeParams* params) {
  if (const int status = check(function, params)) return status;
  unsigned char* const own = params->of_kind;
  switch (params->type) {
    case cuda::CU_GRAPH_NODE_TYPE_KERNEL:
      return outcome({function, "muGraphAddKernelNode"},
                     muGraphAddKernelNode(node, graph, before, count, own));
    case cuda::CU_GRAPH_NODE_TYPE_MEMCPY:
      return outcome(
          {function, "muGraphAddMemcpyNode"},
          muGraphAddMemcpyNode(node, graph, before, count, copy_of(*params),
                               member<void*>(*params, cuda::CUDA_MEMCPY_NODE_PARAMS_copyCtx)));
    case cuda::CU_GRAPH_NODE_TYPE_MEMSET:
      return outcome(
          {function, "muGraphAddMemsetNode"},
          muGraphAddMemsetNode(node, graph, before, count, own,
                               member<void*>(*params, cuda::CUDA_MEMSET_NODE_PARAMS_v2_ctx)));
    case cuda::CU_GRAPH_NODE_TYPE_HOST:
      return outcome({function, "muGraphAddHostNode"},
                     muGraphAddHostNode(node, graph, before, count, own));
    case cuda::CU_GRAPH_NODE_TYPE_GRAPH:
      return outcome(
          {function, "muGraphAddChildGraphNode"},
          muGraphAddChildGraphNode(node, graph, before, count, member<void*>(*params, 0)));
    case cuda::CU_GRAPH_NODE_TYPE_EMPTY:
      return outcome({function, "muGraphAddEmptyNode"},
                     muGraphAddEmptyNode(node, graph, before, count));
    case cuda::CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return outcome(
          {function, "muGraphAddEventWaitNode"},
          muGraphAddEventWaitNode(node, graph, before, count, member<void*>(*params, 0)));
    case cuda::CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return outcome(
          {function, "muGraphAddEventRecordNode"},
          muGraphAddEventRecordNode(node, graph, before, count, member<void*>(*params, 0)));
    case cuda::CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return outcome({function, "muGraphAddMemAllocNode"},
                     muGraphAddMemAllocNode(node, graph, before, count, own));
    case cuda::CU_GRAPH_NODE_TYPE_MEM_FREE:
      return outcome({function, "muGraphAddMemFreeNode"},
                     muGraphAddMemFreeNode(node, graph, before, count,
                                           member<unsigned long long>(*params, 0)));
    default:
      return refuse_kind(function, params->type);
  }
}

}  // namespace

extern "C" {

int torchada_adapter_cuGraphAddNode(void** node, void* graph, const void** before, size_t count,
                                    NodeParams* params) {
  return add("cuGraphAddNode", node, graph, before, count, params);
}

int torchada_adapter_cuGraphAddNode_v2(void** node, void* graph, const void** before,
                                       const void* edges, size_t count, NodeParams* params) {
  constexpr const char* kName = "cuGraphAddNode_v2";
  if (const int status = torchada::refuse_edge_data(
          kName, edges, count * cuda::sizeof_CUgraphEdgeData, torchada::kUnsupported)) {
    return status;
  }
  return add(kName, node, graph, before, count, params);
}

int torchada_adapter_cuGraphNodeSetParams(void* node, const NodeParams* params) {
  if (const int status = check("cuGraphNodeSetParams", params)) return status;
  const unsigned char* const own = params->of_kind;
  switch (params->type) {
    case cuda::CU_GRAPH_NODE_TYPE_KERNEL:
      return outcome({"cuGraphNodeSetParams", "muGraphKernelNodeSetParams"},
                     muGraphKernelNodeSetParams(node, own));
    case cuda::CU_GRAPH_NODE_TYPE_MEMCPY:
      return outcome({"cuGraphNodeSetParams", "muGraphMemcpyNodeSetParams"},
                     muGraphMemcpyNodeSetParams(node, copy_of(*params)));
    case cuda::CU_GRAPH_NODE_TYPE_MEMSET:
      return outcome({"cuGraphNodeSetParams", "muGraphMemsetNodeSetParams"},
                     muGraphMemsetNodeSetParams(node, own));
    case cuda::CU_GRAPH_NODE_TYPE_HOST:
      return outcome({"cuGraphNodeSetParams", "muGraphHostNodeSetParams"},
                     muGraphHostNodeSetParams(node, own));
    case cuda::CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return outcome({"cuGraphNodeSetParams", "muGraphEventWaitNodeSetEvent"},
                     muGraphEventWaitNodeSetEvent(node, member<void*>(*params, 0)));
    case cuda::CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return outcome({"cuGraphNodeSetParams", "muGraphEventRecordNodeSetEvent"},
                     muGraphEventRecordNodeSetEvent(node, member<void*>(*params, 0)));
    default:
      return refuse_kind("cuGraphNodeSetParams", params->type);
  }
}

int torchada_adapter_cuGraphExecNodeSetParams(void* exec, void* node, const NodeParams* params) {
  if (const int status = check("cuGraphExecNodeSetParams", params)) return status;
  const unsigned char* const own = params->of_kind;
  switch (params->type) {
    case cuda::CU_GRAPH_NODE_TYPE_KERNEL:
      return outcome({"cuGraphExecNodeSetParams", "muGraphExecKernelNodeSetParams"},
                     muGraphExecKernelNodeSetParams(exec, node, own));
    case cuda::CU_GRAPH_NODE_TYPE_MEMCPY:
      return outcome({"cuGraphExecNodeSetParams", "muGraphExecMemcpyNodeSetParams"},
                     muGraphExecMemcpyNodeSetParams(
                         exec, node, copy_of(*params),
                         member<void*>(*params, cuda::CUDA_MEMCPY_NODE_PARAMS_copyCtx)));
    case cuda::CU_GRAPH_NODE_TYPE_MEMSET:
      return outcome(
          {"cuGraphExecNodeSetParams", "muGraphExecMemsetNodeSetParams"},
          muGraphExecMemsetNodeSetParams(
              exec, node, own, member<void*>(*params, cuda::CUDA_MEMSET_NODE_PARAMS_v2_ctx)));
    case cuda::CU_GRAPH_NODE_TYPE_HOST:
      return outcome({"cuGraphExecNodeSetParams", "muGraphExecHostNodeSetParams"},
                     muGraphExecHostNodeSetParams(exec, node, own));
    case cuda::CU_GRAPH_NODE_TYPE_GRAPH:
      return outcome({"cuGraphExecNodeSetParams", "muGraphExecChildGraphNodeSetParams"},
                     muGraphExecChildGraphNodeSetParams(exec, node, member<void*>(*params, 0)));
    case cuda::CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return outcome({"cuGraphExecNodeSetParams", "muGraphExecEventWaitNodeSetEvent"},
                     muGraphExecEventWaitNodeSetEvent(exec, node, member<void*>(*params, 0)));
    case cuda::CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return outcome({"cuGraphExecNodeSetParams", "muGraphExecEventRecordNodeSetEvent"},
                     muGraphExecEventRecordNodeSetEvent(exec, node, member<void*>(*params, 0)));
    default:
      return refuse_kind("cuGraphExecNodeSetParams", params->type);
  }
}

}  // extern "C"
