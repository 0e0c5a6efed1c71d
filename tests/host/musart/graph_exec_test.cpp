#include "tests/host/musart/graph_support.h"

namespace {

using GraphExec = GraphTest;
using Nodes = std::vector<musaGraphNode_t>;
using Numbers = std::vector<int>;

TEST_F(GraphExec, musaGraphInstantiate_makes_a_snapshot) {
  const auto first = add_note(1);
  musaGraphExec_t exec = nullptr;
  ASSERT_OK(musaGraphInstantiate(&exec, graph_, 0));
  add_note(2, {first});
  EXPECT_EQ(Numbers{1}, run(exec));
  ASSERT_OK(musaGraphDestroy(graph_));
  graph_ = nullptr;
  EXPECT_EQ(Numbers{1}, run(exec));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiate(&exec, no_graph(), 0));
}

TEST_F(GraphExec, musaGraphInstantiateWithFlags_checks_them) {
  musaGraphExec_t exec = nullptr;
  ASSERT_OK(musaGraphInstantiateWithFlags(&exec, graph_, musaGraphInstantiateFlagUseNodePriority));
  EXPECT_EQ(Numbers{}, run(exec));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiateWithFlags(&exec, graph_, 1 << 20));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiateWithFlags(nullptr, graph_, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphInstantiateWithFlags(&exec, graph_, musaGraphInstantiateFlagUpload));
  EXPECT_ERROR(musaErrorNotSupported,
               musaGraphInstantiateWithFlags(&exec, graph_, musaGraphInstantiateFlagDeviceLaunch));
}

TEST_F(GraphExec, musaGraphInstantiateWithParams_uploads_if_asked_to) {
  add_note(1);
  musaGraphInstantiateParams params{};
  params.flags = musaGraphInstantiateFlagUpload;
  params.uploadStream = stream_;
  params.errNode_out = no_node();
  params.result_out = musaGraphInstantiateError;
  musaGraphExec_t exec = nullptr;
  ASSERT_OK(musaGraphInstantiateWithParams(&exec, graph_, &params));
  EXPECT_EQ(nullptr, params.errNode_out);
  EXPECT_EQ(musaGraphInstantiateSuccess, params.result_out);
  EXPECT_EQ(Numbers{1}, run(exec));
  EXPECT_OK(musaGraphExecDestroy(exec));
  params.uploadStream = no_stream();
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaGraphInstantiateWithParams(&exec, graph_, &params));
  EXPECT_EQ(musaGraphInstantiateError, params.result_out);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiateWithParams(&exec, graph_, nullptr));
}

TEST_F(GraphExec, musaGraphExecGetFlags_gives_them_back) {
  musaGraphExec_t exec = nullptr;
  ASSERT_OK(musaGraphInstantiateWithFlags(&exec, graph_, musaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long flags = 0;
  ASSERT_OK(musaGraphExecGetFlags(exec, &flags));
  EXPECT_EQ(static_cast<unsigned long long>(musaGraphInstantiateFlagAutoFreeOnLaunch), flags);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecGetFlags(exec, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecGetFlags(no_exec(), &flags));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExec, musaGraphLaunch_follows_the_edges) {
  const auto first = add_note(1);
  const auto left = add_note(2, {first});
  const auto right = add_note(3, {first});
  add_note(4, {left, right});
  musaGraphExec_t exec = instantiate();
  for (int i = 0; i < 3; ++i) EXPECT_EQ((Numbers{1, 2, 3, 4}), run(exec));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphLaunch(exec, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphLaunch(no_exec(), stream_));
}

TEST_F(GraphExec, musaGraphLaunch_is_asynchronous_and_in_stream_order) {
  add_note(2);
  musaGraphExec_t exec = instantiate();
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaGraphLaunch(exec, no_stream()));
  Barrier barrier;
  barrier.hold(stream_);
  const musaHostNodeParams before = note(1);
  const musaHostNodeParams after = note(3);
  ASSERT_OK(musaLaunchHostFunc(stream_, before.fn, before.userData));
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaLaunchHostFunc(stream_, after.fn, after.userData));
  // Destroying it does not stop the launch.
  EXPECT_OK(musaGraphExecDestroy(exec));
  ASSERT_OK(musaGraphDestroy(graph_));
  graph_ = nullptr;
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream_));
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ((Numbers{1, 2, 3}), written_);
}

TEST_F(GraphExec, musaGraphLaunch_keeps_order_among_launches_in_different_streams) {
  const DeviceInts data(1);
  musaGraphNode_t node = nullptr;
  const musaMemsetParams params{data.get(), 0, 1, 4, 1, 1};
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  musaGraphExec_t exec = instantiate();
  musaStream_t other = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  {
    Barrier barrier;
    barrier.hold(stream_);
    ASSERT_OK(musaGraphLaunch(exec, stream_));
    ASSERT_OK(musaGraphLaunch(exec, other));
    EXPECT_EQ(musaErrorNotReady, musaStreamQuery(other));
  }
  EXPECT_OK(musaStreamSynchronize(other));
  EXPECT_OK(musaStreamQuery(stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaStreamDestroy(other));
}

TEST_F(GraphExec, musaGraphLaunch_reports_freed_memory_as_a_fault) {
  DeviceInts data(4);
  musaGraphNode_t node = nullptr;
  const musaMemsetParams params{data.get(), 0, 1, 4, 4, 1};
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaFree(data.release()));
  EXPECT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_ERROR(musaErrorIllegalAddress, musaStreamSynchronize(stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  // This destroys everything, including the fixture's stream.
  ASSERT_OK(musaDeviceReset());
  ASSERT_OK(musaStreamCreate(&stream_));
}

TEST_F(GraphExec, musaGraphUpload_checks_its_arguments) {
  musaGraphExec_t exec = instantiate();
  EXPECT_OK(musaGraphUpload(exec, stream_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaGraphUpload(exec, no_stream()));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphUpload(exec, stream_));
}

TEST_F(GraphExec, musaGraphExecDestroy_ends_the_handle) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecDestroy(nullptr));
}

TEST_F(GraphExec, musaGraphExecHostNodeSetParams_leaves_launches_under_way_alone) {
  const auto node = add_note(1);
  musaGraphExec_t exec = instantiate();
  const musaHostNodeParams params = note(2);
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaGraphExecHostNodeSetParams(exec, node, &params));
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ((Numbers{1, 2}), written_);
  EXPECT_EQ(Numbers{1}, run_once());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecHostNodeSetParams(exec, node, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecHostNodeSetParams(exec, add_note(3), &params));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecHostNodeSetParams(no_exec(), node, &params));
  ASSERT_OK(musaGraphDestroyNode(node));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecHostNodeSetParams(exec, node, &params));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExec, musaGraphExecHostNodeSetParams_reaches_into_children) {
  musaGraph_t inner = nullptr;
  ASSERT_OK(musaGraphCreate(&inner, 0));
  add_note(1, {}, inner);
  musaGraphNode_t child = nullptr;
  ASSERT_OK(musaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  musaGraph_t embedded = nullptr;
  ASSERT_OK(musaGraphChildGraphNodeGetGraph(child, &embedded));
  musaGraphExec_t exec = instantiate();
  const musaHostNodeParams params = note(2);
  ASSERT_OK(musaGraphExecHostNodeSetParams(exec, nodes_of(embedded)[0], &params));
  EXPECT_EQ(Numbers{2}, run(exec));
  EXPECT_EQ(Numbers{1}, run_once());
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaGraphDestroy(inner));
}

class GraphExecMemory : public GraphTest {
 protected:
  DeviceInts to_{4};
  DeviceInts from_{4, 1};
  DeviceInts other_{4, 2};
};

TEST_F(GraphExecMemory, musaGraphExecMemcpyNodeSetParams_changes_flat_copies) {
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to_.get(), from_.get(), 16,
                                     musaMemcpyDefault));
  musaGraphExec_t exec = instantiate();
  musaMemcpy3DParms params{};
  params.dstPtr = {to_.get(), 16, 16, 1};
  params.srcPtr = {other_.get(), 16, 16, 1};
  params.extent = {4, 1, 1};
  params.kind = musaMemcpyDefault;
  ASSERT_OK(musaGraphExecMemcpyNodeSetParams(exec, node, &params));
  run(exec);
  EXPECT_EQ((Numbers{0x02020202, 0, 0, 0}), to_.read());
  params.dstPtr = {to_.get(), 8, 8, 2};
  params.srcPtr = {other_.get(), 8, 8, 2};
  params.extent = {4, 2, 1};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecMemcpyNodeSetParams(exec, node, &params));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExecMemory, musaGraphExecMemcpyNodeSetParams1D_changes_flat_copies) {
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to_.get(), from_.get(), 16,
                                     musaMemcpyDefault));
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphExecMemcpyNodeSetParams1D(exec, node, to_.get() + 3, other_.get(), 4,
                                               musaMemcpyDefault));
  run(exec);
  EXPECT_EQ((Numbers{0, 0, 0, 0x02020202}), to_.read());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecMemcpyNodeSetParams1D(
                                          exec, node, to_.get(), nullptr, 4, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphExecMemcpyNodeSetParams1D(exec, node, to_.get(), other_.get(), 4,
                                                  musaMemcpyDeviceToDevice));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExecMemory, musaGraphExecMemsetNodeSetParams_changes_address_and_value) {
  musaGraphNode_t node = nullptr;
  musaMemsetParams params{to_.get(), 8, 3, 4, 1, 2};
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  musaGraphExec_t exec = instantiate();
  params.dst = to_.get() + 1;
  params.value = 9;
  ASSERT_OK(musaGraphExecMemsetNodeSetParams(exec, node, &params));
  run(exec);
  EXPECT_EQ((Numbers{0, 9, 0, 9}), to_.read());
  params.height = 1;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecMemsetNodeSetParams(exec, node, &params));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExecMemory, musaGraphNodeSetEnabled_switches_copies_and_fills_off) {
  musaGraphNode_t node = nullptr;
  const musaMemsetParams params{to_.get(), 0, 3, 4, 1, 1};
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  const auto host = add_note(1, {node});
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphNodeSetEnabled(exec, node, 0));
  EXPECT_EQ(Numbers{1}, run(exec));
  EXPECT_EQ(0, to_.read()[0]);
  ASSERT_OK(musaGraphNodeSetEnabled(exec, node, 1));
  run(exec);
  EXPECT_EQ(3, to_.read()[0]);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeSetEnabled(exec, host, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeSetEnabled(exec, no_node(), 0));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExecMemory, musaGraphNodeGetEnabled_tells) {
  musaGraphNode_t node = nullptr;
  const musaMemsetParams params{to_.get(), 0, 3, 4, 1, 1};
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  musaGraphExec_t exec = instantiate();
  unsigned int enabled = 7;
  ASSERT_OK(musaGraphNodeGetEnabled(exec, node, &enabled));
  EXPECT_EQ(1U, enabled);
  ASSERT_OK(musaGraphNodeSetEnabled(exec, node, 0));
  ASSERT_OK(musaGraphNodeGetEnabled(exec, node, &enabled));
  EXPECT_EQ(0U, enabled);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeGetEnabled(exec, add_empty(), &enabled));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphNodeGetEnabled(exec, node, nullptr));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphExec, musaGraphExecChildGraphNodeSetParams_takes_over_what_the_child_does) {
  musaGraph_t inner = nullptr;
  ASSERT_OK(musaGraphCreate(&inner, 0));
  const auto node = add_note(1, {}, inner);
  musaGraphNode_t child = nullptr;
  ASSERT_OK(musaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  musaGraphExec_t exec = instantiate();
  const musaHostNodeParams params = note(2);
  ASSERT_OK(musaGraphHostNodeSetParams(node, &params));
  ASSERT_OK(musaGraphExecChildGraphNodeSetParams(exec, child, inner));
  EXPECT_EQ(Numbers{2}, run(exec));
  add_note(3, {node}, inner);
  EXPECT_ERROR(musaErrorGraphExecUpdateFailure,
               musaGraphExecChildGraphNodeSetParams(exec, child, inner));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphExecChildGraphNodeSetParams(exec, child, no_graph()));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaGraphDestroy(inner));
}

class GraphUpdate : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    const auto first = add_note(1);
    add_note(2, {first});
    exec_ = instantiate();
    ASSERT_OK(musaGraphCreate(&next_, 0));
  }
  void TearDown() override {
    EXPECT_OK(musaGraphExecDestroy(exec_));
    EXPECT_OK(musaGraphDestroy(next_));
    GraphTest::TearDown();
  }
  void expect_failure(musaGraphExecUpdateResult result, musaGraphNode_t node) {
    musaGraphExecUpdateResultInfo info{};
    EXPECT_ERROR(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec_, next_, &info));
    EXPECT_EQ(result, info.result);
    EXPECT_EQ(node, info.errorNode);
    EXPECT_EQ((Numbers{1, 2}), run(exec_));
  }
  musaGraphExec_t exec_ = nullptr;
  musaGraph_t next_ = nullptr;
};

TEST_F(GraphUpdate, musaGraphExecUpdate_takes_over_what_nodes_do) {
  // The same structure, created in another order.
  const auto last = add_note(4, {}, next_);
  const auto first = add_note(3, {}, next_);
  ASSERT_OK(musaGraphAddDependencies(next_, &first, &last, 1));
  musaGraphExecUpdateResultInfo info{musaGraphExecUpdateError, no_node(), no_node()};
  ASSERT_OK(musaGraphExecUpdate(exec_, next_, &info));
  EXPECT_EQ(musaGraphExecUpdateSuccess, info.result);
  EXPECT_EQ(nullptr, info.errorNode);
  EXPECT_EQ((Numbers{3, 4}), run(exec_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecUpdate(exec_, no_graph(), &info));
  EXPECT_EQ(musaGraphExecUpdateError, info.result);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecUpdate(no_exec(), next_, &info));
}

TEST_F(GraphUpdate, musaGraphExecUpdate_wants_the_same_number_of_nodes) {
  add_note(3, {}, next_);
  expect_failure(musaGraphExecUpdateErrorTopologyChanged, nullptr);
}

TEST_F(GraphUpdate, musaGraphExecUpdate_wants_the_same_edges) {
  add_note(3, {}, next_);
  const auto last = add_note(4, {}, next_);
  expect_failure(musaGraphExecUpdateErrorTopologyChanged, last);
}

TEST_F(GraphUpdate, musaGraphExecUpdate_wants_the_same_types) {
  const auto first = add_note(3, {}, next_);
  musaGraphNode_t last = nullptr;
  ASSERT_OK(musaGraphAddEmptyNode(&last, next_, &first, 1));
  expect_failure(musaGraphExecUpdateErrorNodeTypeChanged, last);
}

TEST_F(GraphUpdate, musaGraphExecUpdate_refuses_other_shapes) {
  const DeviceInts data(4);
  musaGraph_t graph = nullptr;
  ASSERT_OK(musaGraphCreate(&graph, 0));
  musaGraphNode_t node = nullptr;
  musaMemsetParams params{data.get(), 8, 3, 4, 1, 2};
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
  musaGraphExec_t exec = instantiate(graph);
  params.width = 2;
  ASSERT_OK(musaGraphAddMemsetNode(&node, next_, nullptr, 0, &params));
  musaGraphExecUpdateResultInfo info{};
  EXPECT_ERROR(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, next_, &info));
  EXPECT_EQ(musaGraphExecUpdateErrorParametersChanged, info.result);
  EXPECT_EQ(node, info.errorNode);
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaGraphDestroy(graph));
}

}  // namespace
