// Graphs as the program builds them: nodes and the edges between them.
#ifndef TORCHADA_HOST_MUSART_GRAPH_GRAPH_H_
#define TORCHADA_HOST_MUSART_GRAPH_GRAPH_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../../shared/handle_table.h"
#include "../runtime.h"
#include "node_body.h"
#include "user_object.h"

namespace musart {

struct Graph;
struct Exec;

struct Node {
  musaGraphNode_t handle = nullptr;
  Graph* graph = nullptr;  // the one it is in; null once it was destroyed
  Body body;
  std::shared_ptr<Graph> child;      // of a child graph node, and owned by it
  musaGraphNode_t origin = nullptr;  // in the graph that this one was cloned from
  // In the order in which the edges were made. Nodes of one graph, which owns them all.
  std::vector<Node*> dependencies;
  std::vector<Node*> dependents;
};

struct Graph {
  musaGraph_t handle = nullptr;
  std::vector<std::shared_ptr<Node>> nodes;  // in the order of their creation
  UserObjects user_objects;
  bool is_child = false;
  int captures = 0;              // under way into this graph
  musaGraph_t origin = nullptr;  // what it is a clone of
  std::weak_ptr<Exec> exec;      // of a graph with memory nodes, which may have only one

  bool has_memory_nodes() const;
};

using NodeList = std::vector<std::shared_ptr<Node>>;

host::HandleTable<musaGraph_t, Graph>& graphs();
host::HandleTable<musaGraphNode_t, Node>& nodes();

// Guards every graph, executable graph and capture. Never held while work is waited for, nor while
// the program is called back: what is to be released under it goes into a variable outside.
std::mutex& graph_mutex();

template <typename Body>
musaError_t with_graphs(Body&& body) noexcept {
  return api([&](Runtime& runtime) -> musaError_t {
    const std::lock_guard lock(graph_mutex());
    return body(runtime);
  });
}

// All of the following need the lock.
std::shared_ptr<Graph> make_graph();
// Finds distinct live nodes of `graph`; an error if they are not.
musaError_t find_nodes(const Graph& graph, const musaGraphNode_t* handles, std::size_t count,
                       NodeList* found);
musaError_t check_edge_data(const musaGraphEdgeData* data, std::size_t count);
std::shared_ptr<Node> add_node(Graph& graph, Body body, const NodeList& dependencies);
// A child's graph is a copy; an error if it has memory nodes.
musaError_t add_child_node(Graph& graph, const Graph& child, const NodeList& dependencies,
                           std::shared_ptr<Node>* node);
// The body of a free node for this graph, which may free a block only once.
musaError_t check_free_body(Runtime& runtime, const Graph& graph, void* pointer, Body* body);
bool add_edge(Node& from, Node& to);  // false if there is one already
bool remove_edge(Node& from, Node& to);
void remove_node(Node& node);
std::shared_ptr<Graph> clone(const Graph& graph);
// Ends the life of the handles of a graph and all that is in it.
void forget_handles(Graph& graph);
// Nodes in an order in which each comes after its dependencies; empty if they go in a circle (or
// there are none).
std::vector<std::size_t> order_of(const Graph& graph);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_GRAPH_GRAPH_H_
