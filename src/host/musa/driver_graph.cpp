// Capture and graphs.
#include "src/host/musa/driver_box.h"
#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

// The structs of the nodes have the runtime's layout.
static_assert(sizeof(MUSA_KERNEL_NODE_PARAMS) == sizeof(musaKernelNodeParams));
static_assert(sizeof(MUSA_MEMSET_NODE_PARAMS) == sizeof(musaMemsetParams));
static_assert(sizeof(MUSA_HOST_NODE_PARAMS) == sizeof(musaHostNodeParams));
static_assert(sizeof(MUSA_MEM_ALLOC_NODE_PARAMS) == sizeof(musaMemAllocNodeParams));

// Runs an operation in the context that the program names.
template <typename Body>
musaError_t in_context_of(MUcontext handle, Body&& body) {
  auto context = find_context(handle);
  if (context == nullptr) return musaErrorDeviceUninitialized;
  push_context(std::move(context));
  const musaError_t status = body();
  pop_context();
  return status;
}

// A change of an executable graph. SDK 3.1.0 has the functions and refuses to
// (b1tg/tinygrad:tinygrad/runtime/ops_musa.py).
template <typename Body>
MUresult change_exec(Body&& body) {
  return context_call(
      [&](Runtime&) { return changes_executable_graphs() ? body() : musaErrorNotSupported; });
}

MUgraphExecUpdateResult driver_result(musaGraphExecUpdateResult result) {
  return result == musaGraphExecUpdateErrorNotSupported
             ? MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
             : static_cast<MUgraphExecUpdateResult>(result);
}

}  // namespace
}  // namespace musa

using musa::change_exec;
using musa::context_call;
using musa::Runtime;

IN_CONTEXT(2, muStreamBeginCapture_v2, stream_begin_capture)
IN_CONTEXT(6, muStreamBeginCaptureToGraph, stream_begin_capture_to_graph)
IN_CONTEXT(2, muStreamEndCapture, stream_end_capture)

IN_CONTEXT(2, muGraphCreate, graph_create)
IN_CONTEXT(1, muGraphDestroy, graph_destroy)
IN_CONTEXT(2, muGraphClone, graph_clone)
IN_CONTEXT(3, muGraphNodeFindInClone, graph_node_find_in_clone)
IN_CONTEXT(2, muGraphNodeGetType, graph_node_get_type)
IN_CONTEXT(3, muGraphGetNodes, graph_get_nodes)
IN_CONTEXT(3, muGraphGetRootNodes, graph_get_root_nodes)
IN_CONTEXT(4, muGraphGetEdges, graph_get_edges)
IN_CONTEXT(3, muGraphNodeGetDependencies, graph_node_get_dependencies)
IN_CONTEXT(3, muGraphNodeGetDependentNodes, graph_node_get_dependent_nodes)
IN_CONTEXT(4, muGraphAddDependencies, graph_add_dependencies)
IN_CONTEXT(1, muGraphDestroyNode, graph_destroy_node)

IN_CONTEXT(5, muGraphAddKernelNode, graph_add_kernel_node)
IN_CONTEXT(2, muGraphKernelNodeGetParams, graph_kernel_node_get_params)
IN_CONTEXT(2, muGraphKernelNodeSetParams, graph_kernel_node_set_params)
IN_CONTEXT(2, muGraphMemsetNodeGetParams, graph_memset_node_get_params)
IN_CONTEXT(2, muGraphMemsetNodeSetParams, graph_memset_node_set_params)
IN_CONTEXT(5, muGraphAddHostNode, graph_add_host_node)
IN_CONTEXT(2, muGraphHostNodeGetParams, graph_host_node_get_params)
IN_CONTEXT(2, muGraphHostNodeSetParams, graph_host_node_set_params)
IN_CONTEXT(5, muGraphAddChildGraphNode, graph_add_child_graph_node)
IN_CONTEXT(2, muGraphChildGraphNodeGetGraph, graph_child_graph_node_get_graph)
IN_CONTEXT(4, muGraphAddEmptyNode, graph_add_empty_node)
IN_CONTEXT(5, muGraphAddEventRecordNode, graph_add_event_record_node)
IN_CONTEXT(2, muGraphEventRecordNodeGetEvent, graph_event_record_node_get_event)
IN_CONTEXT(2, muGraphEventRecordNodeSetEvent, graph_event_record_node_set_event)
IN_CONTEXT(5, muGraphAddEventWaitNode, graph_add_event_wait_node)
IN_CONTEXT(2, muGraphEventWaitNodeGetEvent, graph_event_wait_node_get_event)
IN_CONTEXT(2, muGraphEventWaitNodeSetEvent, graph_event_wait_node_set_event)
IN_CONTEXT(5, muGraphAddMemAllocNode, graph_add_mem_alloc_node)
IN_CONTEXT(5, muGraphAddMemFreeNode, graph_add_mem_free_node)
AFTER_INIT(1, muDeviceGraphMemTrim, device_graph_mem_trim)
AFTER_INIT(3, muDeviceGetGraphMemAttribute, device_get_graph_mem_attribute)
AFTER_INIT(3, muDeviceSetGraphMemAttribute, device_set_graph_mem_attribute)

IN_CONTEXT(5, muGraphInstantiate_v2, graph_instantiate_with_log)
IN_CONTEXT(2, muGraphLaunch, graph_launch)
IN_CONTEXT(1, muGraphExecDestroy, graph_exec_destroy)

MUresult muGraphAddMemcpyNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                              const MUgraphNode* dependencies, size_t numDependencies,
                              const MUSA_MEMCPY3D* copyParams, MUcontext ctx) {
  return context_call([&](Runtime&) {
    musaMemcpy3DParms params;
    MUSA_RETURN_IF_ERROR(musa::runtime_box(copyParams, &params));
    return musa::in_context_of(ctx, [&] {
      return musa::graph_add_memcpy_node(phGraphNode, hGraph, dependencies, numDependencies,
                                         &params);
    });
  });
}

MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D* nodeParams) {
  return context_call([&](Runtime&) {
    musaMemcpy3DParms params;
    if (nodeParams == nullptr) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(musa::graph_memcpy_node_get_params(hNode, &params));
    *nodeParams = musa::driver_box(params);
    return musaSuccess;
  });
}

MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D* nodeParams) {
  return context_call([&](Runtime&) {
    musaMemcpy3DParms params;
    MUSA_RETURN_IF_ERROR(musa::runtime_box(nodeParams, &params));
    return musa::graph_memcpy_node_set_params(hNode, &params);
  });
}

MUresult muGraphAddMemsetNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                              const MUgraphNode* dependencies, size_t numDependencies,
                              const MUSA_MEMSET_NODE_PARAMS* memsetParams, MUcontext ctx) {
  return context_call([&](Runtime&) {
    return musa::in_context_of(ctx, [&] {
      return musa::graph_add_memset_node(phGraphNode, hGraph, dependencies, numDependencies,
                                         reinterpret_cast<const musaMemsetParams*>(memsetParams));
    });
  });
}

MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphNode* hErrorNode_out,
                           MUgraphExecUpdateResult* updateResult_out) {
  return change_exec([&] {
    musa::Update update;
    const musaError_t status = musa::update_exec(hGraphExec, hGraph, &update);
    if (hErrorNode_out != nullptr) *hErrorNode_out = update.node;
    if (updateResult_out != nullptr) *updateResult_out = musa::driver_result(update.result);
    return status;
  });
}

MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                        const MUSA_MEMCPY3D* copyParams, MUcontext ctx) {
  return change_exec([&] {
    musaMemcpy3DParms params;
    MUSA_RETURN_IF_ERROR(musa::runtime_box(copyParams, &params));
    return musa::in_context_of(
        ctx, [&] { return musa::graph_exec_memcpy_node_set_params(hGraphExec, hNode, &params); });
  });
}

MUresult muGraphExecMemsetNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                        const MUSA_MEMSET_NODE_PARAMS* memsetParams,
                                        MUcontext ctx) {
  return change_exec([&] {
    return musa::in_context_of(ctx, [&] {
      return musa::graph_exec_memset_node_set_params(
          hGraphExec, hNode, reinterpret_cast<const musaMemsetParams*>(memsetParams));
    });
  });
}

// The other changes of executable graphs are operations.
#define CHANGE_OF_EXEC(function, operation)                                                 \
  MUresult function(HOST_PARAMETERS_3(::function)) {                                        \
    return change_exec([&] { return musa::operation(HOST_ARGUMENTS_3(host::same_bits)); }); \
  }
CHANGE_OF_EXEC(muGraphExecKernelNodeSetParams, graph_exec_kernel_node_set_params)
CHANGE_OF_EXEC(muGraphExecHostNodeSetParams, graph_exec_host_node_set_params)
CHANGE_OF_EXEC(muGraphExecChildGraphNodeSetParams, graph_exec_child_graph_node_set_params)
CHANGE_OF_EXEC(muGraphExecEventRecordNodeSetEvent, graph_exec_event_record_node_set_event)
CHANGE_OF_EXEC(muGraphExecEventWaitNodeSetEvent, graph_exec_event_wait_node_set_event)
