// Graphs built node by node.
#include <algorithm>

#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 64;
using Nodes = std::vector<cudaGraphNode_t>;

class Graphs : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(cudaGraphCreate(&graph_, 0)); }
  void TearDown() override { EXPECT_OK(cudaGraphDestroy(graph_)); }
  cudaGraphNode_t empty(const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddEmptyNode(&node, graph_, after.data(), after.size()));
    return node;
  }
  cudaMemsetParams fill(int value) const {
    return {memory_, 0, static_cast<unsigned int>(value), 1, kSize, 1};
  }
  cudaGraphNode_t add_fill(int value, const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    const cudaMemsetParams params = fill(value);
    EXPECT_OK(cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &params));
    return node;
  }
  static cudaHostNodeParams counting(int* count) {
    return {[](void* data) { ++*static_cast<int*>(data); }, count};
  }
  cudaGraphNode_t add_count(int* count) {
    cudaGraphNode_t node = nullptr;
    const cudaHostNodeParams params = counting(count);
    EXPECT_OK(cudaGraphAddHostNode(&node, graph_, nullptr, 0, &params));
    return node;
  }
  cudaGraphExec_t made(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(instantiate(&exec, graph));
    return exec;
  }
  void run(cudaGraphExec_t exec) {
    EXPECT_OK(cudaGraphLaunch(exec, stream_));
    EXPECT_OK(cudaStreamSynchronize(stream_));
  }
  void run_once() {
    cudaGraphExec_t exec = made(graph_);
    run(exec);
    EXPECT_OK(cudaGraphExecDestroy(exec));
  }
  std::vector<unsigned char> held() const { return contents(memory_, kSize); }
  size_t node_count(cudaGraph_t graph) {
    size_t count = 99;
    EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &count));
    return count;
  }
  size_t edge_count() {
    size_t count = 99;
    EXPECT_OK(edges_of(graph_, nullptr, nullptr, &count));
    return count;
  }
  Buffer memory_{kSize};
  Stream stream_;
  cudaGraph_t graph_ = nullptr;
};

TEST_F(Graphs, cudaGraphCreate_makes_an_empty_one) {
  ASSERT_NE(nullptr, graph_);
  EXPECT_EQ(0u, node_count(graph_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphCreate(nullptr, 0));
}

TEST_F(Graphs, cudaGraphDestroy_only_once) {
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_NE(cudaSuccess, cudaGraphDestroy(graph));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST_F(Graphs, cudaGraphAddEmptyNode_adds_a_node_with_its_edges) {
  const cudaGraphNode_t first = empty();
  const cudaGraphNode_t second = empty({first});
  EXPECT_NE(first, second);
  EXPECT_EQ(2u, node_count(graph_));
  EXPECT_EQ(1u, edge_count());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphAddEmptyNode(nullptr, graph_, nullptr, 0));
}

TEST_F(Graphs, cudaGraphAddHostNode_is_called_at_every_launch) {
  int count = 0;
  add_count(&count);
  cudaGraphExec_t exec = made(graph_);
  EXPECT_EQ(0, count);
  run(exec);
  run(exec);
  EXPECT_EQ(2, count);
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

TEST_F(Graphs, cudaGraphAddMemsetNode_fills_at_launch) {
  add_fill(5);
  EXPECT_EQ(bytes_of(kSize, 0), held());
  run_once();
  EXPECT_EQ(bytes_of(kSize, 5), held());
  cudaGraphNode_t node = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, nullptr));
}

TEST_F(Graphs, cudaGraphAddMemcpyNode1D_reads_at_launch) {
  auto source = counted(kSize);
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, memory_, source.data(), kSize,
                                     cudaMemcpyHostToDevice));
  source.assign(kSize, 3);
  run_once();
  EXPECT_EQ(source, held());
}

TEST_F(Graphs, cudaGraphAddMemcpyNode_copies_at_launch) {
  auto source = counted(kSize);
  cudaMemcpy3DParms params{};
  params.srcPtr = {source.data(), kSize, kSize, 1};
  params.dstPtr = {memory_, kSize, kSize, 1};
  params.extent = {kSize, 1, 1};
  params.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params));
  run_once();
  EXPECT_EQ(source, held());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&node, graph_, nullptr, 0, nullptr));
}

TEST_F(Graphs, cudaGraphAddChildGraphNode_runs_a_copy_of_the_child) {
  cudaGraph_t child = nullptr;
  ASSERT_OK(cudaGraphClone(&child, graph_));
  cudaGraphNode_t node = nullptr;
  const cudaMemsetParams params = fill(5);
  ASSERT_OK(cudaGraphAddMemsetNode(&node, child, nullptr, 0, &params));
  ASSERT_OK(cudaGraphAddChildGraphNode(&node, graph_, nullptr, 0, child));
  EXPECT_OK(cudaGraphDestroy(child));
  run_once();
  EXPECT_EQ(bytes_of(kSize, 5), held());
  cudaGraph_t inside = nullptr;
  EXPECT_OK(cudaGraphChildGraphNodeGetGraph(node, &inside));
  EXPECT_EQ(1u, node_count(inside));
}

TEST_F(Graphs, cudaGraphChildGraphNodeGetGraph_refuses_other_nodes) {
  cudaGraph_t inside = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphChildGraphNodeGetGraph(empty(), &inside));
}

TEST_F(Graphs, cudaGraphAddEventRecordNode_records) {
  const Event event;
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddEventRecordNode(&node, graph_, nullptr, 0, event));
  cudaEvent_t told = nullptr;
  EXPECT_OK(cudaGraphEventRecordNodeGetEvent(node, &told));
  EXPECT_EQ(event, told);
  run_once();
  float time = -1;
  const Event later;
  ASSERT_OK(cudaEventRecord(later, stream_));
  ASSERT_OK(cudaEventSynchronize(later));
  EXPECT_OK(cudaEventElapsedTime(&time, event, later));
  EXPECT_GE(time, 0);
}

TEST_F(Graphs, cudaGraphEventRecordNodeGetEvent_refuses_other_nodes) {
  cudaEvent_t told = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(empty(), &told));
}

TEST_F(Graphs, cudaGraphAddDependencies_orders_nodes) {
  const cudaGraphNode_t last = add_fill(2);
  const cudaGraphNode_t first = add_fill(1);
  EXPECT_OK(add_edges(graph_, &first, &last, 1));
  EXPECT_EQ(1u, edge_count());
  run_once();
  EXPECT_EQ(bytes_of(kSize, 2), held());
  EXPECT_ERROR(cudaErrorInvalidValue, add_edges(graph_, &first, &last, 1));
}

TEST_F(Graphs, cudaGraphRemoveDependencies_takes_edges_away) {
  const cudaGraphNode_t first = empty();
  const cudaGraphNode_t second = empty({first});
  EXPECT_OK(remove_edges(graph_, &first, &second, 1));
  EXPECT_EQ(0u, edge_count());
  EXPECT_ERROR(cudaErrorInvalidValue, remove_edges(graph_, &first, &second, 1));
}

TEST_F(Graphs, cudaGraphGetEdges_lists_them) {
  const cudaGraphNode_t first = empty();
  const cudaGraphNode_t second = empty({first});
  cudaGraphNode_t from = nullptr;
  cudaGraphNode_t to = nullptr;
  size_t count = 1;
  EXPECT_OK(edges_of(graph_, &from, &to, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(first, from);
  EXPECT_EQ(second, to);
}

TEST_F(Graphs, cudaGraphGetNodes_lists_them) {
  const cudaGraphNode_t node = empty();
  Nodes nodes(3, node);
  size_t count = nodes.size();
  EXPECT_OK(cudaGraphGetNodes(graph_, nodes.data(), &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ((Nodes{node, nullptr, nullptr}), nodes);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphGetNodes(graph_, nullptr, nullptr));
}

TEST_F(Graphs, cudaGraphGetRootNodes_lists_those_without_edges_to_them) {
  const cudaGraphNode_t first = empty();
  empty({first});
  cudaGraphNode_t root = nullptr;
  size_t count = 1;
  EXPECT_OK(cudaGraphGetRootNodes(graph_, &root, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(first, root);
}

TEST_F(Graphs, cudaGraphNodeGetType_tells_the_kind) {
  auto type = static_cast<cudaGraphNodeType>(99);
  EXPECT_OK(cudaGraphNodeGetType(empty(), &type));
  EXPECT_EQ(cudaGraphNodeTypeEmpty, type);
  EXPECT_OK(cudaGraphNodeGetType(add_fill(1), &type));
  EXPECT_EQ(cudaGraphNodeTypeMemset, type);
}

TEST_F(Graphs, cudaGraphNodeGetDependencies_lists_what_comes_before) {
  const cudaGraphNode_t first = empty();
  const cudaGraphNode_t second = empty({first});
  cudaGraphNode_t found = nullptr;
  size_t count = 1;
  EXPECT_OK(nodes_before(second, &found, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(first, found);
}

TEST_F(Graphs, cudaGraphNodeGetDependentNodes_lists_what_comes_after) {
  const cudaGraphNode_t first = empty();
  const cudaGraphNode_t second = empty({first});
  cudaGraphNode_t found = nullptr;
  size_t count = 1;
  EXPECT_OK(nodes_after(first, &found, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(second, found);
}

TEST_F(Graphs, cudaGraphDestroyNode_takes_its_edges_along) {
  const cudaGraphNode_t first = empty();
  empty({first});
  EXPECT_OK(cudaGraphDestroyNode(first));
  EXPECT_EQ(1u, node_count(graph_));
  EXPECT_EQ(0u, edge_count());
}

TEST_F(Graphs, cudaGraphClone_is_a_graph_of_its_own) {
  const cudaGraphNode_t node = empty();
  cudaGraph_t clone = nullptr;
  ASSERT_OK(cudaGraphClone(&clone, graph_));
  EXPECT_EQ(1u, node_count(clone));
  EXPECT_OK(cudaGraphDestroyNode(node));
  EXPECT_EQ(1u, node_count(clone));
  EXPECT_OK(cudaGraphDestroy(clone));
}

TEST_F(Graphs, cudaGraphNodeFindInClone_finds_the_copy) {
  const cudaGraphNode_t node = empty();
  cudaGraph_t clone = nullptr;
  ASSERT_OK(cudaGraphClone(&clone, graph_));
  cudaGraphNode_t found = nullptr;
  EXPECT_OK(cudaGraphNodeFindInClone(&found, node, clone));
  EXPECT_NE(nullptr, found);
  EXPECT_NE(node, found);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&found, empty(), clone));
  EXPECT_OK(cudaGraphDestroy(clone));
}

#if CUDA_MAJOR >= 12
TEST_F(Graphs, cudaGraphInstantiate_keeps_what_the_graph_was) {
  add_fill(5);
  cudaGraphExec_t exec = made(graph_);
  ASSERT_NE(nullptr, exec);
  add_fill(6);
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_ERROR(cudaErrorInvalidValue, instantiate(nullptr, graph_));
}
#endif

TEST_F(Graphs, cudaGraphInstantiateWithFlags_keeps_what_the_graph_was) {
  add_fill(5);
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(cudaGraphInstantiateWithFlags(&exec, graph_, 0));
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

TEST_F(Graphs, cudaGraphLaunch_takes_its_turn_in_the_stream) {
  add_fill(5);
  cudaGraphExec_t exec = made(graph_);
  Gate gate;
  gate.hold(stream_);
  EXPECT_OK(cudaGraphLaunch(exec, stream_));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream_));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_NE(cudaSuccess, cudaGraphLaunch(nullptr, stream_));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST_F(Graphs, cudaGraphUpload_refuses_what_is_not_a_graph) {
  add_fill(5);
  cudaGraphExec_t exec = made(graph_);
  EXPECT_OK(cudaGraphUpload(exec, stream_));
  run(exec);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_NE(cudaSuccess, cudaGraphUpload(nullptr, stream_));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST_F(Graphs, cudaGraphExecDestroy_only_once) {
  cudaGraphExec_t exec = made(graph_);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_NE(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST_F(Graphs, cudaGraphHostNodeSetParams_is_read_back) {
  int count = 0;
  int other = 0;
  const cudaGraphNode_t node = add_count(&count);
  cudaHostNodeParams params = counting(&other);
  EXPECT_OK(cudaGraphHostNodeSetParams(node, &params));
  run_once();
  EXPECT_EQ(0, count);
  EXPECT_EQ(1, other);
}

TEST_F(Graphs, cudaGraphHostNodeGetParams_gives_what_was_set) {
  int count = 0;
  const cudaGraphNode_t node = add_count(&count);
  cudaHostNodeParams params{};
  EXPECT_OK(cudaGraphHostNodeGetParams(node, &params));
  EXPECT_EQ(&count, params.userData);
}

TEST_F(Graphs, cudaGraphMemsetNodeGetParams_gives_what_was_set) {
  const cudaGraphNode_t node = add_fill(5);
  cudaMemsetParams params{};
  EXPECT_OK(cudaGraphMemsetNodeGetParams(node, &params));
  EXPECT_EQ(memory_, params.dst);
  EXPECT_EQ(5u, params.value);
  EXPECT_EQ(kSize, params.width);
}

TEST_F(Graphs, cudaGraphMemsetNodeSetParams_changes_later_instances) {
  const cudaGraphNode_t node = add_fill(5);
  const cudaMemsetParams params = fill(6);
  EXPECT_OK(cudaGraphMemsetNodeSetParams(node, &params));
  run_once();
  EXPECT_EQ(bytes_of(kSize, 6), held());
}

TEST_F(Graphs, cudaGraphExecMemsetNodeSetParams_changes_the_instance) {
  const cudaGraphNode_t node = add_fill(5);
  cudaGraphExec_t exec = made(graph_);
  const cudaMemsetParams params = fill(6);
  EXPECT_OK(cudaGraphExecMemsetNodeSetParams(exec, node, &params));
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 6), held());
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

TEST_F(Graphs, cudaGraphExecHostNodeSetParams_changes_the_instance) {
  int count = 0;
  int other = 0;
  const cudaGraphNode_t node = add_count(&count);
  cudaGraphExec_t exec = made(graph_);
  const cudaHostNodeParams params = counting(&other);
  EXPECT_OK(cudaGraphExecHostNodeSetParams(exec, node, &params));
  run(exec);
  EXPECT_EQ(0, count);
  EXPECT_EQ(1, other);
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

int calls = 0;

TEST_F(Graphs, cudaUserObjectRelease_destroys_with_the_last_reference) {
  calls = 0;
  cudaUserObject_t object = nullptr;
  ASSERT_OK(cudaUserObjectCreate(
      &object, &calls, [](void* count) { ++*static_cast<int*>(count); }, 1, 1));
  EXPECT_OK(cudaUserObjectRetain(object, 1));
  EXPECT_OK(cudaUserObjectRelease(object, 1));
  EXPECT_EQ(0, calls);
  EXPECT_OK(cudaUserObjectRelease(object, 1));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(1, calls);
}

TEST_F(Graphs, cudaUserObjectCreate_refuses_bad_arguments) {
  cudaUserObject_t object = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaUserObjectCreate(nullptr, nullptr, nullptr, 1, 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaUserObjectCreate(&object, nullptr, nullptr, 1, 1));
}

class GraphCopies : public Graphs {
 protected:
  void SetUp() override {
    Graphs::SetUp();
    good_.srcPtr = {source_.data(), kSize, kSize, 1};
    good_.dstPtr = {memory_, kSize, kSize, 1};
    good_.extent = {kSize, 1, 1};
    good_.kind = cudaMemcpyHostToDevice;
    bad_ = {{cudaErrorInvalidMemcpyDirection, good_},
            {cudaErrorInvalidValue, good_},
            {cudaErrorInvalidPitchValue, good_},
            {cudaErrorInvalidValue, good_}};
    bad_[0].copy.kind = static_cast<cudaMemcpyKind>(9);
    bad_[1].copy.kind = cudaMemcpyDeviceToHost;
    bad_[2].copy.srcPtr.pitch = kSize - 1;
    bad_[2].copy.extent.height = 2;
    bad_[3].copy.srcPtr.ptr = nullptr;
  }
  std::vector<unsigned char> source_ = counted(2 * kSize);
  cudaMemcpy3DParms good_{};
  struct Bad {
    cudaError_t error;
    cudaMemcpy3DParms copy;
  };
  std::vector<Bad> bad_;
};

TEST_F(GraphCopies, cudaGraphAddMemcpyNode_refuses_bad_copies) {
  cudaGraphNode_t node = nullptr;
  for (const Bad& bad : bad_) {
    EXPECT_ERROR(bad.error, cudaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &bad.copy));
  }
}

TEST_F(GraphCopies, cudaGraphAddMemcpyNode1D_refuses_bad_copies) {
  cudaGraphNode_t node = nullptr;
  const auto add = [&](cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, memory_, source_.data(), kSize,
                                    kind);
  };
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, add(static_cast<cudaMemcpyKind>(9)));
  EXPECT_ERROR(cudaErrorInvalidValue, add(cudaMemcpyDeviceToHost));
}

TEST_F(GraphCopies, cudaGraphMemcpyNodeSetParams_refuses_bad_copies) {
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &good_));
  for (const Bad& bad : bad_) {
    EXPECT_ERROR(bad.error, cudaGraphMemcpyNodeSetParams(node, &bad.copy));
  }
  run_once();
  EXPECT_EQ(counted(kSize), held());
}

TEST_F(GraphCopies, cudaGraphExecMemcpyNodeSetParams_refuses_bad_copies) {
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &good_));
  cudaGraphExec_t exec = made(graph_);
  for (const Bad& bad : bad_) {
    EXPECT_ERROR(bad.error, cudaGraphExecMemcpyNodeSetParams(exec, node, &bad.copy));
  }
  run(exec);
  EXPECT_EQ(counted(kSize), held());
  EXPECT_OK(cudaGraphExecDestroy(exec));
}

}  // namespace
