#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaDeviceGetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
                                           void* value) {
  return recorded(musa::device_get_graph_mem_attribute(device, attr, value));
}

musaError_t musaDeviceGraphMemTrim(int device) {
  return recorded(musa::device_graph_mem_trim(device));
}

musaError_t musaDeviceSetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
                                           void* value) {
  return recorded(musa::device_set_graph_mem_attribute(device, attr, value));
}

musaError_t musaGraphAddChildGraphNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                       const musaGraphNode_t* pDependencies, size_t numDependencies,
                                       musaGraph_t childGraph) {
  return recorded(musa::graph_add_child_graph_node(pGraphNode, graph, pDependencies,
                                                   numDependencies, childGraph));
}

musaError_t musaGraphAddEmptyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                  const musaGraphNode_t* pDependencies, size_t numDependencies) {
  return recorded(musa::graph_add_empty_node(pGraphNode, graph, pDependencies, numDependencies));
}

musaError_t musaGraphAddEventRecordNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                        const musaGraphNode_t* pDependencies,
                                        size_t numDependencies, musaEvent_t event) {
  return recorded(
      musa::graph_add_event_record_node(pGraphNode, graph, pDependencies, numDependencies, event));
}

musaError_t musaGraphAddEventWaitNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                      const musaGraphNode_t* pDependencies, size_t numDependencies,
                                      musaEvent_t event) {
  return recorded(
      musa::graph_add_event_wait_node(pGraphNode, graph, pDependencies, numDependencies, event));
}

musaError_t musaGraphAddHostNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                 const musaGraphNode_t* pDependencies, size_t numDependencies,
                                 const struct musaHostNodeParams* pNodeParams) {
  return recorded(
      musa::graph_add_host_node(pGraphNode, graph, pDependencies, numDependencies, pNodeParams));
}

musaError_t musaGraphAddKernelNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaKernelNodeParams* pNodeParams) {
  return recorded(
      musa::graph_add_kernel_node(pGraphNode, graph, pDependencies, numDependencies, pNodeParams));
}

musaError_t musaGraphAddMemAllocNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies,
                                     struct musaMemAllocNodeParams* nodeParams) {
  return recorded(musa::graph_add_mem_alloc_node(pGraphNode, graph, pDependencies, numDependencies,
                                                 nodeParams));
}

musaError_t musaGraphAddMemFreeNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                    const musaGraphNode_t* pDependencies, size_t numDependencies,
                                    void* dptr) {
  return recorded(
      musa::graph_add_mem_free_node(pGraphNode, graph, pDependencies, numDependencies, dptr));
}

musaError_t musaGraphAddMemcpyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaMemcpy3DParms* pCopyParams) {
  return recorded(
      musa::graph_add_memcpy_node(pGraphNode, graph, pDependencies, numDependencies, pCopyParams));
}

musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies,
                                     void* dst, const void* src, size_t count,
                                     enum musaMemcpyKind kind) {
  return recorded(musa::graph_add_memcpy_node_1d(pGraphNode, graph, pDependencies, numDependencies,
                                                 dst, src, count, kind));
}

musaError_t musaGraphAddMemsetNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaMemsetParams* pMemsetParams) {
  return recorded(musa::graph_add_memset_node(pGraphNode, graph, pDependencies, numDependencies,
                                              pMemsetParams));
}

musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t* pGraph) {
  return recorded(musa::graph_child_graph_node_get_graph(node, pGraph));
}

musaError_t musaGraphEventRecordNodeGetEvent(musaGraphNode_t node, musaEvent_t* event_out) {
  return recorded(musa::graph_event_record_node_get_event(node, event_out));
}

musaError_t musaGraphEventRecordNodeSetEvent(musaGraphNode_t node, musaEvent_t event) {
  return recorded(musa::graph_event_record_node_set_event(node, event));
}

musaError_t musaGraphEventWaitNodeGetEvent(musaGraphNode_t node, musaEvent_t* event_out) {
  return recorded(musa::graph_event_wait_node_get_event(node, event_out));
}

musaError_t musaGraphEventWaitNodeSetEvent(musaGraphNode_t node, musaEvent_t event) {
  return recorded(musa::graph_event_wait_node_set_event(node, event));
}

musaError_t musaGraphHostNodeGetParams(musaGraphNode_t node,
                                       struct musaHostNodeParams* pNodeParams) {
  return recorded(musa::graph_host_node_get_params(node, pNodeParams));
}

musaError_t musaGraphHostNodeSetParams(musaGraphNode_t node,
                                       const struct musaHostNodeParams* pNodeParams) {
  return recorded(musa::graph_host_node_set_params(node, pNodeParams));
}

musaError_t musaGraphKernelNodeCopyAttributes(musaGraphNode_t hDst, musaGraphNode_t hSrc) {
  return recorded(musa::graph_kernel_node_copy_attributes(hDst, hSrc));
}

musaError_t musaGraphKernelNodeGetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
                                            musaLaunchAttributeValue* value_out) {
  return recorded(musa::graph_kernel_node_get_attribute(hNode, attr, value_out));
}

musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node,
                                         struct musaKernelNodeParams* pNodeParams) {
  return recorded(musa::graph_kernel_node_get_params(node, pNodeParams));
}

musaError_t musaGraphKernelNodeSetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
                                            const musaLaunchAttributeValue* value) {
  return recorded(musa::graph_kernel_node_set_attribute(hNode, attr, value));
}

musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
                                         const struct musaKernelNodeParams* pNodeParams) {
  return recorded(musa::graph_kernel_node_set_params(node, pNodeParams));
}

musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
                                           struct musaMemAllocNodeParams* params_out) {
  return recorded(musa::graph_mem_alloc_node_get_params(node, params_out));
}

musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void* dptr_out) {
  return recorded(musa::graph_mem_free_node_get_params(node, dptr_out));
}

musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node,
                                         struct musaMemcpy3DParms* pNodeParams) {
  return recorded(musa::graph_memcpy_node_get_params(node, pNodeParams));
}

musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node,
                                         const struct musaMemcpy3DParms* pNodeParams) {
  return recorded(musa::graph_memcpy_node_set_params(node, pNodeParams));
}

musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void* dst, const void* src,
                                           size_t count, enum musaMemcpyKind kind) {
  return recorded(musa::graph_memcpy_node_set_params_1d(node, dst, src, count, kind));
}

musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node,
                                         struct musaMemsetParams* pNodeParams) {
  return recorded(musa::graph_memset_node_get_params(node, pNodeParams));
}

musaError_t musaGraphMemsetNodeSetParams(musaGraphNode_t node,
                                         const struct musaMemsetParams* pNodeParams) {
  return recorded(musa::graph_memset_node_set_params(node, pNodeParams));
}
