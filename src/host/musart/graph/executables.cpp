#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaGraphExecChildGraphNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                                 musaGraph_t childGraph) {
  return recorded(musa::graph_exec_child_graph_node_set_params(hGraphExec, node, childGraph));
}

musaError_t musaGraphExecDestroy(musaGraphExec_t graphExec) {
  return recorded(musa::graph_exec_destroy(graphExec));
}

musaError_t musaGraphExecEventRecordNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                                 musaEvent_t event) {
  return recorded(musa::graph_exec_event_record_node_set_event(hGraphExec, hNode, event));
}

musaError_t musaGraphExecEventWaitNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                               musaEvent_t event) {
  return recorded(musa::graph_exec_event_wait_node_set_event(hGraphExec, hNode, event));
}

musaError_t musaGraphExecGetFlags(musaGraphExec_t graphExec, unsigned long long* flags) {
  return recorded(musa::graph_exec_get_flags(graphExec, flags));
}

musaError_t musaGraphExecHostNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                           const struct musaHostNodeParams* pNodeParams) {
  return recorded(musa::graph_exec_host_node_set_params(hGraphExec, node, pNodeParams));
}

musaError_t musaGraphExecKernelNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                             const struct musaKernelNodeParams* pNodeParams) {
  return recorded(musa::graph_exec_kernel_node_set_params(hGraphExec, node, pNodeParams));
}

musaError_t musaGraphExecMemcpyNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                             const struct musaMemcpy3DParms* pNodeParams) {
  return recorded(musa::graph_exec_memcpy_node_set_params(hGraphExec, node, pNodeParams));
}

musaError_t musaGraphExecMemcpyNodeSetParams1D(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                               void* dst, const void* src, size_t count,
                                               enum musaMemcpyKind kind) {
  return recorded(
      musa::graph_exec_memcpy_node_set_params_1d(hGraphExec, node, dst, src, count, kind));
}

musaError_t musaGraphExecMemsetNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                             const struct musaMemsetParams* pNodeParams) {
  return recorded(musa::graph_exec_memset_node_set_params(hGraphExec, node, pNodeParams));
}

musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                          unsigned long long flags) {
  return recorded(musa::graph_instantiate_with_flags(pGraphExec, graph, flags));
}

musaError_t musaGraphInstantiateWithParams(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                           musaGraphInstantiateParams* instantiateParams) {
  return recorded(musa::graph_instantiate_with_params(pGraphExec, graph, instantiateParams));
}

musaError_t musaGraphLaunch(musaGraphExec_t graphExec, musaStream_t stream) {
  return recorded(musa::graph_launch(graphExec, stream));
}

musaError_t musaGraphNodeGetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                    unsigned int* isEnabled) {
  return recorded(musa::graph_node_get_enabled(hGraphExec, hNode, isEnabled));
}

musaError_t musaGraphNodeSetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                    unsigned int isEnabled) {
  return recorded(musa::graph_node_set_enabled(hGraphExec, hNode, isEnabled));
}

musaError_t musaGraphUpload(musaGraphExec_t graphExec, musaStream_t stream) {
  return recorded(musa::graph_upload(graphExec, stream));
}
