// Functions on graphs and their edges.
#include <algorithm>

#include "src/host/musa/graph/graph.h"
#include "src/host/musa/operations.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

// Fills in as many as fit and sets the remaining entries to null. Without an array, only returns
// the number.
musaError_t list_nodes(const std::vector<Node*>& listed, musaGraphNode_t* out, size_t* count,
                       musaGraphEdgeData* edges = nullptr) {
  if (count == nullptr || (out == nullptr && edges != nullptr)) return musaErrorInvalidValue;
  if (out == nullptr) {
    *count = listed.size();
    return musaSuccess;
  }
  const size_t filled = std::min(*count, listed.size());
  for (size_t i = 0; i < *count; ++i) {
    out[i] = i < filled ? listed[i]->handle : nullptr;
    if (edges != nullptr) edges[i] = {};
  }
  *count = filled;
  return musaSuccess;
}

template <typename Accept>
std::vector<Node*> nodes_of(const Graph& graph, Accept&& accept) {
  std::vector<Node*> listed;
  for (const auto& node : graph.nodes) {
    if (accept(*node)) listed.push_back(node.get());
  }
  return listed;
}

musaError_t list_edges(musaGraph_t handle, musaGraphNode_t* from, musaGraphNode_t* to,
                       musaGraphEdgeData* edges, size_t* count) {
  return with_graphs([&](Runtime&) {
    const auto graph = graphs().find(handle);
    if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr) ||
        (edges != nullptr && from == nullptr)) {
      return musaErrorInvalidValue;
    }
    std::vector<Node*> starts;
    std::vector<Node*> ends;
    for (const auto& node : graph->nodes) {
      for (Node* dependent : node->dependents) {
        starts.push_back(node.get());
        ends.push_back(dependent);
      }
    }
    size_t room = *count;
    MUSA_RETURN_IF_ERROR(list_nodes(starts, from, &room, edges));
    return list_nodes(ends, to, count);
  });
}

// Changes all edges or none.
musaError_t change_edges(musaGraph_t handle, const musaGraphNode_t* from, const musaGraphNode_t* to,
                         const musaGraphEdgeData* data, size_t count, bool add) {
  return with_graphs([&](Runtime&) {
    const auto graph = graphs().find(handle);
    if (graph == nullptr) return musaErrorInvalidValue;
    if (count == 0) return musaSuccess;
    if (from == nullptr || to == nullptr) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(check_edge_data(data, count));
    // Memory is reused along edges, so graphs with memory nodes keep theirs.
    if (!add && graph->has_memory_nodes()) return musaErrorNotSupported;
    std::vector<std::pair<Node*, Node*>> changed;
    const auto undo = [&] {
      for (const auto& [start, end] : changed) {
        add ? remove_edge(*start, *end) : add_edge(*start, *end);
      }
    };
    for (size_t i = 0; i < count; ++i) {
      const auto start = nodes().find(from[i]);
      const auto end = nodes().find(to[i]);
      const bool sound = start != nullptr && end != nullptr && start != end &&
                         start->graph == graph.get() && end->graph == graph.get();
      if (!sound || !(add ? add_edge(*start, *end) : remove_edge(*start, *end))) {
        undo();
        return musaErrorInvalidValue;
      }
      changed.emplace_back(start.get(), end.get());
    }
    return musaSuccess;
  });
}

musaError_t list_neighbours(musaGraphNode_t handle, std::vector<Node*> Node::*side,
                            musaGraphNode_t* out, musaGraphEdgeData* edges, size_t* count) {
  return with_graphs([&](Runtime&) {
    const auto node = nodes().find(handle);
    return node == nullptr ? musaErrorInvalidValue : list_nodes((*node).*side, out, count, edges);
  });
}

}  // namespace

musaError_t graph_create(musaGraph_t* pGraph, unsigned int flags) {
  return with_graphs([&](Runtime&) {
    if (pGraph == nullptr || flags != 0) return musaErrorInvalidValue;
    *pGraph = make_graph()->handle;
    return musaSuccess;
  });
}

musaError_t graph_destroy(musaGraph_t graph) {
  std::shared_ptr<Graph> released;  // released after the lock
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    // A child belongs to its node, and an active capture needs its graph.
    if (found == nullptr || found->is_child || found->captures != 0) return musaErrorInvalidValue;
    released = found;
    forget_handles(*found);
    return musaSuccess;
  });
}

musaError_t graph_clone(musaGraph_t* pGraphClone, musaGraph_t originalGraph) {
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(originalGraph);
    if (found == nullptr || pGraphClone == nullptr) return musaErrorInvalidValue;
    if (found->has_memory_nodes()) return musaErrorNotSupported;
    *pGraphClone = clone(*found)->handle;
    return musaSuccess;
  });
}

musaError_t graph_node_find_in_clone(musaGraphNode_t* pNode, musaGraphNode_t originalNode,
                                     musaGraph_t clonedGraph) {
  return with_graphs([&](Runtime&) {
    const auto original = nodes().find(originalNode);
    const auto cloned = graphs().find(clonedGraph);
    if (pNode == nullptr || original == nullptr || cloned == nullptr ||
        cloned->origin != original->graph->handle) {
      return musaErrorInvalidValue;
    }
    const auto found = std::ranges::find_if(
        cloned->nodes, [&](const auto& node) { return node->origin == originalNode; });
    if (found == cloned->nodes.end()) return musaErrorInvalidValue;
    *pNode = (*found)->handle;
    return musaSuccess;
  });
}

musaError_t graph_get_nodes(musaGraph_t graph, musaGraphNode_t* nodes, size_t* numNodes) {
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    if (found == nullptr) return musaErrorInvalidValue;
    return list_nodes(nodes_of(*found, [](const Node&) { return true; }), nodes, numNodes);
  });
}

musaError_t graph_get_root_nodes(musaGraph_t graph, musaGraphNode_t* pRootNodes,
                                 size_t* pNumRootNodes) {
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    if (found == nullptr) return musaErrorInvalidValue;
    const auto is_root = [](const Node& node) { return node.dependencies.empty(); };
    return list_nodes(nodes_of(*found, is_root), pRootNodes, pNumRootNodes);
  });
}

// The functions with _v2 in their names also take data of edges, before the count.
#define STRUCTURE(count, function, answer) HOST_ANSWER(musaError_t, count, function, answer)
STRUCTURE(4, graph_get_edges, list_edges(a0, a1, a2, nullptr, a3))
STRUCTURE(5, graph_get_edges_v2, list_edges(a0, a1, a2, a3, a4))
STRUCTURE(4, graph_add_dependencies, change_edges(a0, a1, a2, nullptr, a3, true))
STRUCTURE(5, graph_add_dependencies_v2, change_edges(a0, a1, a2, a3, a4, true))
STRUCTURE(4, graph_remove_dependencies, change_edges(a0, a1, a2, nullptr, a3, false))
STRUCTURE(5, graph_remove_dependencies_v2, change_edges(a0, a1, a2, a3, a4, false))
STRUCTURE(3, graph_node_get_dependencies, list_neighbours(a0, &Node::dependencies, a1, nullptr, a2))
STRUCTURE(4, graph_node_get_dependencies_v2, list_neighbours(a0, &Node::dependencies, a1, a2, a3))
STRUCTURE(3, graph_node_get_dependent_nodes,
          list_neighbours(a0, &Node::dependents, a1, nullptr, a2))
STRUCTURE(4, graph_node_get_dependent_nodes_v2, list_neighbours(a0, &Node::dependents, a1, a2, a3))

musaError_t graph_node_get_type(musaGraphNode_t node, enum musaGraphNodeType* pType) {
  return with_graphs([&](Runtime&) {
    const auto found = nodes().find(node);
    if (found == nullptr || pType == nullptr) return musaErrorInvalidValue;
    *pType = found->body->type;
    return musaSuccess;
  });
}

musaError_t graph_destroy_node(musaGraphNode_t node) {
  std::shared_ptr<Node> released;  // released after the lock
  return with_graphs([&](Runtime&) {
    released = nodes().find(node);
    if (released == nullptr || released->graph->captures != 0) return musaErrorInvalidValue;
    if (released->graph->has_memory_nodes()) return musaErrorNotSupported;
    remove_node(*released);
    return musaSuccess;
  });
}

}  // namespace musa
