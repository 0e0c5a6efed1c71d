#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t* from,
                                     const musaGraphNode_t* to, size_t numDependencies) {
  return recorded(musa::graph_add_dependencies(graph, from, to, numDependencies));
}

musaError_t musaGraphAddDependencies_v2(musaGraph_t graph, const musaGraphNode_t* from,
                                        const musaGraphNode_t* to,
                                        const musaGraphEdgeData* edgeData, size_t numDependencies) {
  return recorded(musa::graph_add_dependencies_v2(graph, from, to, edgeData, numDependencies));
}

musaError_t musaGraphClone(musaGraph_t* pGraphClone, musaGraph_t originalGraph) {
  return recorded(musa::graph_clone(pGraphClone, originalGraph));
}

musaError_t musaGraphCreate(musaGraph_t* pGraph, unsigned int flags) {
  return recorded(musa::graph_create(pGraph, flags));
}

musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char* path, unsigned int flags) {
  return recorded(musa::graph_debug_dot_print(graph, path, flags));
}

musaError_t musaGraphDestroy(musaGraph_t graph) { return recorded(musa::graph_destroy(graph)); }

musaError_t musaGraphDestroyNode(musaGraphNode_t node) {
  return recorded(musa::graph_destroy_node(node));
}

musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t* from, musaGraphNode_t* to,
                              size_t* numEdges) {
  return recorded(musa::graph_get_edges(graph, from, to, numEdges));
}

musaError_t musaGraphGetEdges_v2(musaGraph_t graph, musaGraphNode_t* from, musaGraphNode_t* to,
                                 musaGraphEdgeData* edgeData, size_t* numEdges) {
  return recorded(musa::graph_get_edges_v2(graph, from, to, edgeData, numEdges));
}

musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t* nodes, size_t* numNodes) {
  return recorded(musa::graph_get_nodes(graph, nodes, numNodes));
}

musaError_t musaGraphGetRootNodes(musaGraph_t graph, musaGraphNode_t* pRootNodes,
                                  size_t* pNumRootNodes) {
  return recorded(musa::graph_get_root_nodes(graph, pRootNodes, pNumRootNodes));
}

musaError_t musaGraphNodeFindInClone(musaGraphNode_t* pNode, musaGraphNode_t originalNode,
                                     musaGraph_t clonedGraph) {
  return recorded(musa::graph_node_find_in_clone(pNode, originalNode, clonedGraph));
}

musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node, musaGraphNode_t* pDependencies,
                                         size_t* pNumDependencies) {
  return recorded(musa::graph_node_get_dependencies(node, pDependencies, pNumDependencies));
}

musaError_t musaGraphNodeGetDependencies_v2(musaGraphNode_t node, musaGraphNode_t* pDependencies,
                                            musaGraphEdgeData* edgeData, size_t* pNumDependencies) {
  return recorded(
      musa::graph_node_get_dependencies_v2(node, pDependencies, edgeData, pNumDependencies));
}

musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node, musaGraphNode_t* pDependentNodes,
                                           size_t* pNumDependentNodes) {
  return recorded(musa::graph_node_get_dependent_nodes(node, pDependentNodes, pNumDependentNodes));
}

musaError_t musaGraphNodeGetDependentNodes_v2(musaGraphNode_t node,
                                              musaGraphNode_t* pDependentNodes,
                                              musaGraphEdgeData* edgeData,
                                              size_t* pNumDependentNodes) {
  return recorded(
      musa::graph_node_get_dependent_nodes_v2(node, pDependentNodes, edgeData, pNumDependentNodes));
}

musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType* pType) {
  return recorded(musa::graph_node_get_type(node, pType));
}

musaError_t musaGraphReleaseUserObject(musaGraph_t graph, musaUserObject_t object,
                                       unsigned int count) {
  return recorded(musa::graph_release_user_object(graph, object, count));
}

musaError_t musaGraphRemoveDependencies(musaGraph_t graph, const musaGraphNode_t* from,
                                        const musaGraphNode_t* to, size_t numDependencies) {
  return recorded(musa::graph_remove_dependencies(graph, from, to, numDependencies));
}

musaError_t musaGraphRemoveDependencies_v2(musaGraph_t graph, const musaGraphNode_t* from,
                                           const musaGraphNode_t* to,
                                           const musaGraphEdgeData* edgeData,
                                           size_t numDependencies) {
  return recorded(musa::graph_remove_dependencies_v2(graph, from, to, edgeData, numDependencies));
}

musaError_t musaGraphRetainUserObject(musaGraph_t graph, musaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  return recorded(musa::graph_retain_user_object(graph, object, count, flags));
}

musaError_t musaUserObjectCreate(musaUserObject_t* object_out, void* ptr, musaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags) {
  return recorded(musa::user_object_create(object_out, ptr, destroy, initialRefcount, flags));
}

musaError_t musaUserObjectRelease(musaUserObject_t object, unsigned int count) {
  return recorded(musa::user_object_release(object, count));
}

musaError_t musaUserObjectRetain(musaUserObject_t object, unsigned int count) {
  return recorded(musa::user_object_retain(object, count));
}
