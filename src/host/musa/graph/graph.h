// Graphs as the program builds them: nodes and the edges between them.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "src/host/musa/graph/node_body.h"
#include "src/host/musa/graph/user_object.h"
#include "src/host/musa/runtime.h"
#include "src/host/shared/handle_table.h"

namespace musa {

struct Graph;
struct Exec;

struct Node {
  musaGraphNode_t handle = nullptr;
  Graph* graph = nullptr;  // the graph that contains it; null after its destruction
  Body body;
  std::shared_ptr<Graph> child;      // of a child graph node, which owns it
  musaGraphNode_t origin = nullptr;  // in the graph from which this one was cloned
  // In the order in which the edges were made. All are nodes of the same graph, which owns them.
  std::vector<Node*> dependencies;
  std::vector<Node*> dependents;
};

struct Graph {
  musaGraph_t handle = nullptr;
  std::vector<std::shared_ptr<Node>> nodes;  // in order of creation
  UserObjects user_objects;
  bool is_child = false;
  int captures = 0;              // active captures into this graph
  musaGraph_t origin = nullptr;  // the graph from which it was cloned
  std::weak_ptr<Exec> exec;      // of a graph with memory nodes, which may have only one

  bool has_memory_nodes() const;
};

using NodeList = std::vector<std::shared_ptr<Node>>;

using Graphs = host::HandleTable<host::HandleKind::kGraph, musaGraph_t, Graph>;
using Nodes = host::HandleTable<host::HandleKind::kGraphNode, musaGraphNode_t, Node>;

Graphs& graphs();
Nodes& nodes();

// Guards every graph, executable graph and capture. Never held while waiting for work or calling
// the program: objects to release are moved into a variable that outlives the lock.
std::mutex& graph_mutex();

template <typename Body>
musaError_t with_graphs(Body&& body) noexcept {
  return api([&](Runtime& runtime) -> musaError_t {
    const std::lock_guard lock(graph_mutex());
    return body(runtime);
  });
}

// All functions below need the lock.
std::shared_ptr<Graph> make_graph();
// Finds nodes of `graph`. Fails unless they are live and distinct.
musaError_t find_nodes(const Graph& graph, const musaGraphNode_t* handles, std::size_t count,
                       NodeList* found);
musaError_t check_edge_data(const musaGraphEdgeData* data, std::size_t count);
std::shared_ptr<Node> add_node(Graph& graph, Body body, const NodeList& dependencies);
// The child gets a copy of the graph. Fails if the graph has memory nodes.
musaError_t add_child_node(Graph& graph, const Graph& child, const NodeList& dependencies,
                           std::shared_ptr<Node>* node);
// The body of a free node for this graph. A graph may free a block only once.
musaError_t check_free_body(Runtime& runtime, const Graph& graph, void* pointer, Body* body);
bool add_edge(Node& from, Node& to);  // false if the edge exists already
bool remove_edge(Node& from, Node& to);
void remove_node(Node& node);
std::shared_ptr<Graph> clone(const Graph& graph);
// Invalidates the handles of a graph and of all its contents.
void forget_handles(Graph& graph);
// Orders the nodes so that each comes after its dependencies. Empty for a cycle or an empty graph.
std::vector<std::size_t> order_of(const Graph& graph);

}  // namespace musa
