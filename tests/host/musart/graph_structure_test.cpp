#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/host/musart/graph_support.h"

namespace {

using GraphStructure = GraphTest;
using Nodes = std::vector<musaGraphNode_t>;

TEST_F(GraphStructure, musaGraphCreate_makes_an_empty_graph) {
  musaGraph_t other = nullptr;
  ASSERT_OK(musaGraphCreate(&other, 0));
  EXPECT_NE(nullptr, other);
  EXPECT_NE(graph_, other);
  EXPECT_EQ(0U, node_count(other));
  EXPECT_OK(musaGraphDestroy(other));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphCreate(nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphCreate(&other, 1));
}

TEST_F(GraphStructure, musaGraphDestroy_ends_all_handles) {
  const musaGraphNode_t node = add_empty();
  ASSERT_OK(musaGraphDestroy(graph_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroy(graph_));
  size_t count = 0;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphGetNodes(graph_, nullptr, &count));
  auto type = musaGraphNodeTypeHost;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeGetType(node, &type));
  musaGraphNode_t other = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(&other, graph_, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroyNode(node));
  musaGraphExec_t exec = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiateWithFlags(&exec, graph_, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroy(no_graph()));
  graph_ = nullptr;
}

TEST_F(GraphStructure, musaGraphGetNodes_lists_in_order_of_creation) {
  const Nodes made = {add_empty(), add_empty(), add_empty()};
  EXPECT_EQ(made, nodes_of(graph_));
  Nodes some(2);
  size_t count = 2;
  ASSERT_OK(musaGraphGetNodes(graph_, some.data(), &count));
  EXPECT_EQ(2U, count);
  EXPECT_EQ(made[1], some[1]);
  Nodes many(5, made[0]);
  count = 5;
  ASSERT_OK(musaGraphGetNodes(graph_, many.data(), &count));
  EXPECT_EQ(3U, count);
  EXPECT_EQ(nullptr, many[3]);
  EXPECT_EQ(nullptr, many[4]);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphGetNodes(graph_, nullptr, nullptr));
}

TEST_F(GraphStructure, musaGraphGetRootNodes_lists_those_without_dependencies) {
  const auto first = add_empty();
  add_empty({first});
  const auto second = add_empty();
  Nodes roots(3);
  size_t count = 3;
  ASSERT_OK(musaGraphGetRootNodes(graph_, roots.data(), &count));
  EXPECT_EQ(2U, count);
  EXPECT_EQ((Nodes{first, second, nullptr}), roots);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphGetRootNodes(no_graph(), nullptr, &count));
}

TEST_F(GraphStructure, musaGraphGetEdges_gives_both_ends) {
  const auto first = add_empty();
  const auto second = add_empty({first});
  Nodes from(1);
  Nodes to(1);
  size_t count = 1;
  ASSERT_OK(musaGraphGetEdges(graph_, from.data(), to.data(), &count));
  EXPECT_EQ(1U, count);
  EXPECT_EQ(first, from[0]);
  EXPECT_EQ(second, to[0]);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphGetEdges(graph_, from.data(), nullptr, &count));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphGetEdges(graph_, nullptr, nullptr, nullptr));
}

TEST_F(GraphStructure, musaGraphGetEdges_v2_gives_default_edges) {
  const auto first = add_empty();
  add_empty({first});
  Nodes from(1);
  Nodes to(1);
  musaGraphEdgeData edge{1, 1, 1, {1, 1, 1, 1, 1}};
  size_t count = 1;
  ASSERT_OK(musaGraphGetEdges_v2(graph_, from.data(), to.data(), &edge, &count));
  EXPECT_EQ(first, from[0]);
  EXPECT_EQ(0, edge.type);
  EXPECT_EQ(0, edge.from_port);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphGetEdges_v2(graph_, nullptr, nullptr, &edge, &count));
}

TEST_F(GraphStructure, musaGraphAddDependencies_orders_nodes) {
  const auto second = add_note(2);
  const auto first = add_note(1);
  ASSERT_OK(musaGraphAddDependencies(graph_, &first, &second, 1));
  EXPECT_EQ((std::vector<int>{1, 2}), run_once());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddDependencies(graph_, &first, &second, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddDependencies(graph_, &first, &first, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddDependencies(graph_, nullptr, &second, 1));
  const auto foreign = no_node();
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddDependencies(graph_, &foreign, &second, 1));
  EXPECT_OK(musaGraphAddDependencies(graph_, nullptr, nullptr, 0));
  // The call adds all edges or none.
  const auto third = add_empty();
  const Nodes from = {first, first};
  const Nodes to = {third, second};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddDependencies(graph_, from.data(), to.data(), 2));
  EXPECT_EQ(1U, edge_count(graph_));
}

TEST_F(GraphStructure, musaGraphAddDependencies_v2_accepts_default_edges_only) {
  const auto first = add_empty();
  const auto second = add_empty();
  musaGraphEdgeData edge{};
  edge.type = 1;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphAddDependencies_v2(graph_, &first, &second, &edge, 1));
  EXPECT_EQ(0U, edge_count(graph_));
  edge.type = 0;
  ASSERT_OK(musaGraphAddDependencies_v2(graph_, &first, &second, &edge, 1));
  EXPECT_EQ(1U, edge_count(graph_));
}

TEST_F(GraphStructure, musaGraphRemoveDependencies_v2_takes_edges_away) {
  const auto first = add_empty();
  const auto second = add_empty({first});
  musaGraphEdgeData edge{};
  edge.to_port = 3;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphRemoveDependencies_v2(graph_, &first, &second, &edge, 1));
  ASSERT_OK(musaGraphRemoveDependencies_v2(graph_, &first, &second, nullptr, 1));
  EXPECT_EQ(0U, edge_count(graph_));
}

TEST_F(GraphStructure, musaGraphNodeGetDependencies_lists_what_comes_before) {
  const auto first = add_empty();
  const auto second = add_empty();
  const auto last = add_empty({second, first});
  Nodes found(3, last);
  size_t count = 3;
  ASSERT_OK(musaGraphNodeGetDependencies(last, found.data(), &count));
  EXPECT_EQ(2U, count);
  EXPECT_EQ((Nodes{second, first, nullptr}), found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeGetDependencies(no_node(), nullptr, &count));
}

TEST_F(GraphStructure, musaGraphNodeGetDependencies_v2_lists_what_comes_before) {
  const auto first = add_empty();
  const auto last = add_empty({first});
  musaGraphNode_t found = nullptr;
  musaGraphEdgeData edge{1, 1, 1, {}};
  size_t count = 1;
  ASSERT_OK(musaGraphNodeGetDependencies_v2(last, &found, &edge, &count));
  EXPECT_EQ(first, found);
  EXPECT_EQ(0, edge.type);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphNodeGetDependencies_v2(last, nullptr, &edge, &count));
}

TEST_F(GraphStructure, musaGraphNodeGetDependentNodes_lists_what_comes_after) {
  const auto first = add_empty();
  const auto last = add_empty({first});
  size_t count = 0;
  ASSERT_OK(musaGraphNodeGetDependentNodes(first, nullptr, &count));
  EXPECT_EQ(1U, count);
  musaGraphNode_t found = nullptr;
  ASSERT_OK(musaGraphNodeGetDependentNodes(first, &found, &count));
  EXPECT_EQ(last, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeGetDependentNodes(first, &found, nullptr));
}

TEST_F(GraphStructure, musaGraphNodeGetDependentNodes_v2_lists_what_comes_after) {
  const auto first = add_empty();
  const auto last = add_empty({first});
  musaGraphNode_t found = nullptr;
  musaGraphEdgeData edge{1, 1, 1, {}};
  size_t count = 1;
  ASSERT_OK(musaGraphNodeGetDependentNodes_v2(first, &found, &edge, &count));
  EXPECT_EQ(last, found);
  EXPECT_EQ(0, edge.from_port);
}

TEST_F(GraphStructure, musaGraphNodeGetType_tells_the_types) {
  EXPECT_EQ(musaGraphNodeTypeEmpty, type_of(add_empty()));
  EXPECT_EQ(musaGraphNodeTypeHost, type_of(add_note(1)));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeGetType(add_empty(), nullptr));
}

TEST_F(GraphStructure, musaGraphDestroyNode_severs_its_edges) {
  const auto first = add_empty();
  const auto middle = add_empty({first});
  add_empty({middle});
  ASSERT_OK(musaGraphDestroyNode(middle));
  EXPECT_EQ(2U, node_count(graph_));
  EXPECT_EQ(0U, edge_count(graph_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroyNode(middle));
  musaGraphNode_t node = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(&node, graph_, &middle, 1));
}

TEST_F(GraphStructure, musaGraphAddEmptyNode_checks_its_dependencies) {
  const auto first = add_empty();
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddEmptyNode(&node, graph_, &first, 1));
  EXPECT_NE(nullptr, node);
  const Nodes twice = {first, first};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(&node, graph_, twice.data(), 2));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(&node, graph_, nullptr, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(nullptr, graph_, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(&node, no_graph(), nullptr, 0));
  musaGraph_t other = nullptr;
  ASSERT_OK(musaGraphCreate(&other, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddEmptyNode(&node, other, &first, 1));
  EXPECT_OK(musaGraphDestroy(other));
  EXPECT_EQ(2U, node_count(graph_));
}

TEST_F(GraphStructure, musaGraphClone_is_independent) {
  const auto first = add_note(1);
  add_note(2, {first});
  musaGraph_t copy = nullptr;
  ASSERT_OK(musaGraphClone(&copy, graph_));
  ASSERT_OK(musaGraphDestroyNode(first));
  EXPECT_EQ(2U, node_count(copy));
  EXPECT_EQ(1U, edge_count(copy));
  EXPECT_EQ((std::vector<int>{1, 2}), run_once(copy));
  EXPECT_OK(musaGraphDestroy(copy));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphClone(nullptr, graph_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphClone(&copy, no_graph()));
}

TEST_F(GraphStructure, musaGraphNodeFindInClone_finds_the_counterpart) {
  const auto first = add_empty();
  const auto second = add_empty({first});
  musaGraph_t copy = nullptr;
  ASSERT_OK(musaGraphClone(&copy, graph_));
  musaGraphNode_t found = nullptr;
  ASSERT_OK(musaGraphNodeFindInClone(&found, second, copy));
  EXPECT_EQ(nodes_of(copy)[1], found);
  ASSERT_OK(musaGraphDestroyNode(found));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeFindInClone(&found, second, copy));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeFindInClone(&found, first, graph_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeFindInClone(&found, no_node(), copy));
  EXPECT_OK(musaGraphDestroy(copy));
}

TEST_F(GraphStructure, musaGraphInstantiateWithParams_names_a_node_of_a_circle) {
  const auto first = add_empty();
  const auto second = add_empty({first});
  ASSERT_OK(musaGraphAddDependencies(graph_, &second, &first, 1));
  musaGraphInstantiateParams params{};
  musaGraphExec_t exec = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiateWithParams(&exec, graph_, &params));
  EXPECT_EQ(musaGraphInstantiateInvalidStructure, params.result_out);
  EXPECT_TRUE(params.errNode_out == first || params.errNode_out == second);
  EXPECT_EQ(nullptr, exec);
}

TEST_F(GraphStructure, musaGraphDebugDotPrint_writes_nodes_and_edges) {
  musaGraph_t inner = nullptr;
  ASSERT_OK(musaGraphCreate(&inner, 0));
  add_note(1, {}, inner);
  const auto first = add_empty();
  musaGraphNode_t child = nullptr;
  ASSERT_OK(musaGraphAddChildGraphNode(&child, graph_, &first, 1, inner));
  const std::string path =
      ::testing::TempDir() + "musart_graph_" + std::to_string(getpid()) + ".dot";
  ASSERT_OK(musaGraphDebugDotPrint(graph_, path.c_str(), musaGraphDebugDotFlagsVerbose));
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  unlink(path.c_str());
  EXPECT_EQ(0U, text.str().find("digraph"));
  for (const char* part : {"\"graph_0\" -> \"graph_1\";", "EMPTY", "subgraph", "HOST"}) {
    EXPECT_NE(std::string::npos, text.str().find(part)) << part << "\n" << text.str();
  }
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDebugDotPrint(graph_, nullptr, 0));
  EXPECT_ERROR(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph_, "/nowhere/a.dot", 0));
  EXPECT_OK(musaGraphDestroy(inner));
}

}  // namespace
