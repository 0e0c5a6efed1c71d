#include "src/host/musa/graph/graph.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "src/host/shared/never_destroyed.h"

namespace musa {

bool Graph::has_memory_nodes() const {
  return std::ranges::any_of(nodes, [](const auto& node) { return node->body->is_memory_node(); });
}

Graphs& graphs() { return host::never_destroyed<Graphs>(); }

Nodes& nodes() { return host::never_destroyed<Nodes>(); }

std::mutex& graph_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

std::shared_ptr<Graph> make_graph() {
  auto graph = std::make_shared<Graph>();
  graphs().insert(graph);
  return graph;
}

musaError_t find_nodes(const Graph& graph, const musaGraphNode_t* handles, std::size_t count,
                       NodeList* found) {
  if (count == 0) return musaSuccess;
  if (handles == nullptr || count > graph.nodes.size()) return musaErrorInvalidValue;
  std::unordered_set<const Node*> seen;
  for (std::size_t i = 0; i < count; ++i) {
    auto node = nodes().find(handles[i]);
    if (node == nullptr || node->graph != &graph || !seen.insert(node.get()).second) {
      return musaErrorInvalidValue;
    }
    found->push_back(std::move(node));
  }
  return musaSuccess;
}

// All other kinds of edges connect kernels, which do not exist here.
musaError_t check_edge_data(const musaGraphEdgeData* data, std::size_t count) {
  if (data == nullptr) return musaSuccess;
  const auto is_default = [](const musaGraphEdgeData& edge) {
    return edge.from_port == 0 && edge.to_port == 0 && edge.type == 0 &&
           std::ranges::all_of(edge.reserved, [](unsigned char byte) { return byte == 0; });
  };
  return std::all_of(data, data + count, is_default) ? musaSuccess : musaErrorInvalidValue;
}

bool add_edge(Node& from, Node& to) {
  if (std::ranges::find(to.dependencies, &from) != to.dependencies.end()) return false;
  to.dependencies.push_back(&from);
  from.dependents.push_back(&to);
  return true;
}

bool remove_edge(Node& from, Node& to) {
  return std::erase(to.dependencies, &from) != 0 && std::erase(from.dependents, &to) != 0;
}

std::shared_ptr<Node> add_node(Graph& graph, Body body, const NodeList& dependencies) {
  auto node = std::make_shared<Node>();
  node->body = std::move(body);
  node->graph = &graph;
  nodes().insert(node);
  graph.nodes.push_back(node);
  for (const auto& dependency : dependencies) add_edge(*dependency, *node);
  return node;
}

musaError_t add_child_node(Graph& graph, const Graph& child, const NodeList& dependencies,
                           std::shared_ptr<Node>* node) {
  if (child.has_memory_nodes()) return musaErrorNotSupported;
  auto copy = clone(child);
  copy->is_child = true;
  *node = add_node(graph, make_empty_body(musaGraphNodeTypeChildGraph), dependencies);
  (*node)->child = std::move(copy);
  return musaSuccess;
}

void remove_node(Node& node) {
  nodes().remove(node.handle);
  if (node.child != nullptr) forget_handles(*node.child);
  for (Node* dependency : node.dependencies) std::erase(dependency->dependents, &node);
  for (Node* dependent : node.dependents) std::erase(dependent->dependencies, &node);
  Graph& graph = *std::exchange(node.graph, nullptr);
  // Last, because the graph may be the only owner of the node.
  std::erase_if(graph.nodes, [&](const auto& other) { return other.get() == &node; });
}

std::shared_ptr<Graph> clone(const Graph& graph) {
  auto copy = make_graph();
  copy->origin = graph.handle;
  copy->user_objects = graph.user_objects;
  std::unordered_map<const Node*, Node*> copies;
  for (const auto& node : graph.nodes) {
    const auto made = add_node(*copy, node->body, {});
    made->origin = node->handle;
    if (node->child != nullptr) {
      made->child = clone(*node->child);
      made->child->is_child = true;
    }
    copies[node.get()] = made.get();
  }
  for (const auto& node : graph.nodes) {
    for (const Node* dependency : node->dependencies) {
      copies[node.get()]->dependencies.push_back(copies[dependency]);
    }
    for (const Node* dependent : node->dependents) {
      copies[node.get()]->dependents.push_back(copies[dependent]);
    }
  }
  return copy;
}

void forget_handles(Graph& graph) {
  graphs().remove(graph.handle);
  for (const auto& node : graph.nodes) {
    nodes().remove(node->handle);
    node->graph = nullptr;
    if (node->child != nullptr) forget_handles(*node->child);
  }
}

std::vector<std::size_t> order_of(const Graph& graph) {
  std::unordered_map<const Node*, std::size_t> index;
  std::vector<std::size_t> missing;
  // Of the nodes that can run, the one created first runs first.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (const auto& node : graph.nodes) {
    if (node->dependencies.empty()) ready.push(missing.size());
    index[node.get()] = missing.size();
    missing.push_back(node->dependencies.size());
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    order.push_back(next);
    for (const Node* dependent : graph.nodes[next]->dependents) {
      if (--missing[index[dependent]] == 0) ready.push(index[dependent]);
    }
  }
  if (order.size() != graph.nodes.size()) order.clear();
  return order;
}

}  // namespace musa
