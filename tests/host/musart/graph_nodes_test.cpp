#include "tests/host/musart/graph_support.h"

namespace {

using GraphNodes = GraphTest;
using Nodes = std::vector<musaGraphNode_t>;

musaMemcpy3DParms flat(void* dst, void* src, size_t bytes) {
  musaMemcpy3DParms params{};
  params.dstPtr = {dst, bytes, bytes, 1};
  params.srcPtr = {src, bytes, bytes, 1};
  params.extent = {bytes, 1, 1};
  params.kind = musaMemcpyDefault;
  return params;
}

TEST_F(GraphNodes, musaGraphAddHostNode_runs_the_function) {
  add_note(7);
  EXPECT_EQ((std::vector<int>{7}), run_once());
  musaGraphNode_t node = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddHostNode(&node, graph_, nullptr, 0, nullptr));
  const musaHostNodeParams none{};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddHostNode(&node, graph_, nullptr, 0, &none));
}

TEST_F(GraphNodes, musaGraphHostNodeGetParams_gives_them_back) {
  const auto node = add_note(7);
  musaHostNodeParams params{};
  ASSERT_OK(musaGraphHostNodeGetParams(node, &params));
  ASSERT_NE(nullptr, params.fn);
  params.fn(params.userData);
  EXPECT_EQ((std::vector<int>{7}), written_);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphHostNodeGetParams(node, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphHostNodeGetParams(add_empty(), &params));
}

TEST_F(GraphNodes, musaGraphHostNodeSetParams_changes_the_graph_alone) {
  const auto node = add_note(1);
  musaGraphExec_t exec = instantiate();
  const musaHostNodeParams params = note(2);
  ASSERT_OK(musaGraphHostNodeSetParams(node, &params));
  EXPECT_EQ((std::vector<int>{2}), run_once());
  EXPECT_EQ((std::vector<int>{1}), run(exec));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphHostNodeSetParams(no_node(), &params));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphHostNodeSetParams(node, nullptr));
}

TEST_F(GraphNodes, musaGraphAddMemcpyNode_copies_boxes) {
  const DeviceInts to(4);
  std::vector<int> from = {1, 2, 3, 4};
  musaMemcpy3DParms params{};
  params.srcPtr = {from.data(), 8, 8, 2};
  params.dstPtr = {to.get(), 8, 8, 2};
  params.extent = {4, 2, 1};  // the left column
  params.kind = musaMemcpyHostToDevice;
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params));
  EXPECT_EQ(musaGraphNodeTypeMemcpy, type_of(node));
  run_once();
  EXPECT_EQ((std::vector<int>{1, 0, 3, 0}), to.read());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemcpyNode(&node, graph_, nullptr, 0, nullptr));
  params.extent.width = 0;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params));
}

TEST_F(GraphNodes, musaGraphAddMemcpyNode1D_reads_its_source_at_launch) {
  const DeviceInts to(2);
  std::vector<int> from = {1, 2};
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to.get(), from.data(), 8,
                                     musaMemcpyHostToDevice));
  from = {3, 4};
  run_once();
  EXPECT_EQ((std::vector<int>{3, 4}), to.read());
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to.get(), from.data(), 12,
                                        musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, nullptr,
                                                               from.data(), 8, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, to.get(), from.data(), 8,
                                        static_cast<musaMemcpyKind>(7)));
}

TEST_F(GraphNodes, musaGraphMemcpyNodeGetParams_gives_them_back) {
  const DeviceInts to(2);
  const DeviceInts from(2);
  const musaMemcpy3DParms params = flat(to.get(), from.get(), 8);
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params));
  musaMemcpy3DParms found{};
  ASSERT_OK(musaGraphMemcpyNodeGetParams(node, &found));
  EXPECT_EQ(0, std::memcmp(&params, &found, sizeof(found)));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemcpyNodeGetParams(node, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemcpyNodeGetParams(add_empty(), &found));
}

TEST_F(GraphNodes, musaGraphMemcpyNodeSetParams_changes_what_is_copied) {
  const DeviceInts to(2);
  const DeviceInts from(2, 1);
  const DeviceInts other(2, 2);
  musaMemcpy3DParms params = flat(to.get(), from.get(), 8);
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params));
  params = flat(to.get(), other.get(), 4);
  ASSERT_OK(musaGraphMemcpyNodeSetParams(node, &params));
  run_once();
  EXPECT_EQ((std::vector<int>{0x02020202, 0}), to.read());
  params.kind = static_cast<musaMemcpyKind>(7);
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection, musaGraphMemcpyNodeSetParams(node, &params));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemcpyNodeSetParams(no_node(), &params));
}

TEST_F(GraphNodes, musaGraphMemcpyNodeSetParams1D_changes_what_is_copied) {
  const DeviceInts to(2);
  const DeviceInts from(2, 1);
  const musaMemcpy3DParms params = flat(to.get(), from.get(), 8);
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params));
  ASSERT_OK(
      musaGraphMemcpyNodeSetParams1D(node, to.get() + 1, from.get(), 4, musaMemcpyDeviceToDevice));
  run_once();
  EXPECT_EQ((std::vector<int>{0, 0x01010101}), to.read());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemcpyNodeSetParams1D(
                                          add_empty(), to.get(), from.get(), 4, musaMemcpyDefault));
}

TEST_F(GraphNodes, musaGraphAddMemsetNode_fills_with_values_of_every_size) {
  const DeviceInts to(3);
  Nodes after;
  for (const musaMemsetParams& params : {musaMemsetParams{to.get(), 0, 0xab, 1, 4, 1},
                                         musaMemsetParams{to.get() + 1, 0, 0x1234, 2, 2, 1},
                                         musaMemsetParams{to.get() + 2, 0, 0x12345678, 4, 1, 1}}) {
    musaGraphNode_t node = nullptr;
    ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &params));
    EXPECT_EQ(musaGraphNodeTypeMemset, type_of(node));
    after = {node};
  }
  run_once();
  EXPECT_EQ((std::vector<int>{static_cast<int>(0xabababab), 0x12341234, 0x12345678}), to.read());
  musaGraphNode_t node = nullptr;
  musaMemsetParams params{to.get(), 0, 0, 3, 1, 1};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  params = {to.get(), 2, 0, 4, 1, 2};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  params = {to.get(), 4, 0, 4, 1, 4};
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemsetNode(&node, graph_, nullptr, 0, nullptr));
}

TEST_F(GraphNodes, musaGraphMemsetNodeGetParams_gives_them_back) {
  const DeviceInts to(4);
  const musaMemsetParams params{to.get(), 8, 5, 4, 1, 2};
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  musaMemsetParams found{};
  ASSERT_OK(musaGraphMemsetNodeGetParams(node, &found));
  EXPECT_EQ(to.get(), found.dst);
  EXPECT_EQ(8U, found.pitch);
  EXPECT_EQ(5U, found.value);
  EXPECT_EQ(4U, found.elementSize);
  EXPECT_EQ(2U, found.height);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemsetNodeGetParams(add_empty(), &found));
}

TEST_F(GraphNodes, musaGraphMemsetNodeSetParams_changes_the_fill) {
  const DeviceInts to(2);
  musaMemsetParams params{to.get(), 0, 5, 4, 1, 1};
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  params = {to.get() + 1, 0, 6, 4, 1, 1};
  ASSERT_OK(musaGraphMemsetNodeSetParams(node, &params));
  run_once();
  EXPECT_EQ((std::vector<int>{0, 6}), to.read());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemsetNodeSetParams(node, nullptr));
}

class GraphKernelNodes : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    params_.func = &params_;
    params_.gridDim = dim3(2, 3, 4);
    params_.sharedMemBytes = 16;
    ASSERT_OK(musaGraphAddKernelNode(&node_, graph_, nullptr, 0, &params_));
  }
  musaKernelNodeParams params_{};
  musaGraphNode_t node_ = nullptr;
};

TEST_F(GraphKernelNodes, musaGraphAddKernelNode_cannot_be_instantiated) {
  EXPECT_EQ(musaGraphNodeTypeKernel, type_of(node_));
  musaGraphInstantiateParams params{};
  musaGraphExec_t exec = nullptr;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaGraphInstantiateWithParams(&exec, graph_, &params));
  EXPECT_EQ(musaGraphInstantiateNodeOperationNotSupported, params.result_out);
  EXPECT_EQ(node_, params.errNode_out);
  musaGraphNode_t node = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddKernelNode(&node, graph_, nullptr, 0, nullptr));
}

TEST_F(GraphKernelNodes, musaGraphKernelNodeGetParams_gives_them_back) {
  musaKernelNodeParams found{};
  ASSERT_OK(musaGraphKernelNodeGetParams(node_, &found));
  EXPECT_EQ(params_.func, found.func);
  EXPECT_EQ(4U, found.gridDim.z);
  EXPECT_EQ(16U, found.sharedMemBytes);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphKernelNodeGetParams(node_, nullptr));
}

TEST_F(GraphKernelNodes, musaGraphKernelNodeSetParams_keeps_the_attributes) {
  musaLaunchAttributeValue value{};
  value.priority = -1;
  ASSERT_OK(musaGraphKernelNodeSetAttribute(node_, musaLaunchAttributePriority, &value));
  params_.sharedMemBytes = 32;
  ASSERT_OK(musaGraphKernelNodeSetParams(node_, &params_));
  musaKernelNodeParams found{};
  ASSERT_OK(musaGraphKernelNodeGetParams(node_, &found));
  EXPECT_EQ(32U, found.sharedMemBytes);
  value.priority = 0;
  ASSERT_OK(musaGraphKernelNodeGetAttribute(node_, musaLaunchAttributePriority, &value));
  EXPECT_EQ(-1, value.priority);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphKernelNodeSetParams(add_empty(), &params_));
}

TEST_F(GraphKernelNodes, musaGraphKernelNodeSetAttribute_is_read_back) {
  musaLaunchAttributeValue value{};
  value.cooperative = 1;
  ASSERT_OK(musaGraphKernelNodeSetAttribute(node_, musaLaunchAttributeCooperative, &value));
  value.cooperative = 0;
  ASSERT_OK(musaGraphKernelNodeGetAttribute(node_, musaLaunchAttributeCooperative, &value));
  EXPECT_EQ(1, value.cooperative);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphKernelNodeSetAttribute(node_, musaLaunchAttributeIgnore, &value));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphKernelNodeSetAttribute(node_, musaLaunchAttributeCooperative, nullptr));
}

TEST_F(GraphKernelNodes, musaGraphKernelNodeGetAttribute_is_zero_at_first) {
  musaLaunchAttributeValue value{};
  value.priority = 7;
  ASSERT_OK(musaGraphKernelNodeGetAttribute(node_, musaLaunchAttributePriority, &value));
  EXPECT_EQ(0, value.priority);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphKernelNodeGetAttribute(add_empty(), musaLaunchAttributePriority, &value));
}

TEST_F(GraphKernelNodes, musaGraphKernelNodeCopyAttributes_copies_all) {
  musaLaunchAttributeValue value{};
  value.priority = -1;
  ASSERT_OK(musaGraphKernelNodeSetAttribute(node_, musaLaunchAttributePriority, &value));
  musaGraphNode_t other = nullptr;
  ASSERT_OK(musaGraphAddKernelNode(&other, graph_, nullptr, 0, &params_));
  ASSERT_OK(musaGraphKernelNodeCopyAttributes(other, node_));
  value.priority = 0;
  ASSERT_OK(musaGraphKernelNodeGetAttribute(other, musaLaunchAttributePriority, &value));
  EXPECT_EQ(-1, value.priority);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphKernelNodeCopyAttributes(other, add_empty()));
}

TEST_F(GraphKernelNodes, musaGraphExecKernelNodeSetParams_finds_no_kernel_to_change) {
  musaGraph_t other = nullptr;
  ASSERT_OK(musaGraphCreate(&other, 0));
  musaGraphExec_t exec = instantiate(other);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecKernelNodeSetParams(exec, node_, &params_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaGraphDestroy(other));
}

TEST_F(GraphNodes, musaGraphAddChildGraphNode_runs_a_copy_in_its_place) {
  musaGraph_t inner = nullptr;
  ASSERT_OK(musaGraphCreate(&inner, 0));
  const auto start = add_note(2, {}, inner);
  add_note(3, {start}, inner);
  const auto first = add_note(1);
  musaGraphNode_t child = nullptr;
  ASSERT_OK(musaGraphAddChildGraphNode(&child, graph_, &first, 1, inner));
  add_note(4, {child});
  ASSERT_OK(musaGraphDestroy(inner));
  EXPECT_EQ(musaGraphNodeTypeChildGraph, type_of(child));
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), run_once());
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
}

TEST_F(GraphNodes, musaGraphChildGraphNodeGetGraph_gives_what_belongs_to_the_node) {
  musaGraph_t inner = nullptr;
  ASSERT_OK(musaGraphCreate(&inner, 0));
  add_note(1, {}, inner);
  musaGraphNode_t child = nullptr;
  ASSERT_OK(musaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  musaGraph_t embedded = nullptr;
  ASSERT_OK(musaGraphChildGraphNodeGetGraph(child, &embedded));
  EXPECT_NE(inner, embedded);
  add_note(2, nodes_of(embedded), embedded);
  EXPECT_EQ((std::vector<int>{1, 2}), run_once());
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroy(embedded));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphChildGraphNodeGetGraph(child, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphChildGraphNodeGetGraph(add_empty(), &embedded));
  EXPECT_OK(musaGraphDestroy(inner));
}

class GraphEventNodes : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    ASSERT_OK(musaEventCreate(&event_));
    ASSERT_OK(musaEventCreate(&other_));
    ASSERT_OK(musaGraphAddEventRecordNode(&record_, graph_, nullptr, 0, event_));
    ASSERT_OK(musaGraphAddEventWaitNode(&wait_, graph_, &record_, 1, event_));
  }
  void TearDown() override {
    EXPECT_OK(musaEventDestroy(event_));
    EXPECT_OK(musaEventDestroy(other_));
    GraphTest::TearDown();
  }
  musaEvent_t event_ = nullptr;
  musaEvent_t other_ = nullptr;
  musaGraphNode_t record_ = nullptr;
  musaGraphNode_t wait_ = nullptr;
};

TEST_F(GraphEventNodes, musaGraphAddEventRecordNode_records_at_each_launch) {
  Barrier barrier;
  barrier.hold(stream_);
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_EQ(musaErrorNotReady, musaEventQuery(event_));
  barrier.open();
  ASSERT_OK(musaEventSynchronize(event_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_OK(musaEventQuery(event_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  musaGraphNode_t node = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphAddEventRecordNode(&node, graph_, nullptr, 0, no_event()));
}

TEST_F(GraphEventNodes, musaGraphAddEventWaitNode_waits_for_other_streams) {
  musaGraph_t waiting = nullptr;
  ASSERT_OK(musaGraphCreate(&waiting, 0));
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddEventWaitNode(&node, waiting, nullptr, 0, other_));
  EXPECT_EQ(musaGraphNodeTypeEventWait, type_of(node));
  musaGraphExec_t exec = instantiate(waiting);
  run(exec);  // never recorded, so it delays nobody
  musaStream_t busy = nullptr;
  ASSERT_OK(musaStreamCreate(&busy));
  {
    Barrier barrier;
    barrier.hold(busy);
    ASSERT_OK(musaEventRecord(other_, busy));
    ASSERT_OK(musaGraphLaunch(exec, stream_));
    EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream_));
  }
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_OK(musaStreamDestroy(busy));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaGraphDestroy(waiting));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphAddEventWaitNode(&node, graph_, nullptr, 0, nullptr));
}

TEST_F(GraphEventNodes, musaGraphEventRecordNodeGetEvent_gives_it_back) {
  musaEvent_t found = nullptr;
  ASSERT_OK(musaGraphEventRecordNodeGetEvent(record_, &found));
  EXPECT_EQ(event_, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphEventRecordNodeGetEvent(wait_, &found));
}

TEST_F(GraphEventNodes, musaGraphEventWaitNodeGetEvent_gives_it_back) {
  musaEvent_t found = nullptr;
  ASSERT_OK(musaGraphEventWaitNodeGetEvent(wait_, &found));
  EXPECT_EQ(event_, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphEventWaitNodeGetEvent(record_, &found));
}

TEST_F(GraphEventNodes, musaGraphEventRecordNodeSetEvent_changes_it) {
  ASSERT_OK(musaGraphEventRecordNodeSetEvent(record_, other_));
  musaEvent_t found = nullptr;
  ASSERT_OK(musaGraphEventRecordNodeGetEvent(record_, &found));
  EXPECT_EQ(other_, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphEventRecordNodeSetEvent(record_, no_event()));
}

TEST_F(GraphEventNodes, musaGraphEventWaitNodeSetEvent_changes_it) {
  ASSERT_OK(musaGraphEventWaitNodeSetEvent(wait_, other_));
  musaEvent_t found = nullptr;
  ASSERT_OK(musaGraphEventWaitNodeGetEvent(wait_, &found));
  EXPECT_EQ(other_, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphEventWaitNodeSetEvent(record_, other_));
}

TEST_F(GraphEventNodes, musaGraphExecEventRecordNodeSetEvent_changes_later_launches) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphExecEventRecordNodeSetEvent(exec, record_, other_));
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_EQ(musaErrorNotReady, musaEventQuery(other_));
  EXPECT_OK(musaEventQuery(event_));
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecEventRecordNodeSetEvent(exec, wait_, other_));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphEventNodes, musaGraphExecEventWaitNodeSetEvent_changes_later_launches) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphExecEventWaitNodeSetEvent(exec, wait_, other_));
  musaStream_t busy = nullptr;
  ASSERT_OK(musaStreamCreate(&busy));
  Barrier barrier;
  barrier.hold(busy);
  ASSERT_OK(musaEventRecord(other_, busy));
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaEventSynchronize(event_));  // the graph records the event first
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream_));
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphExecEventWaitNodeSetEvent(exec, wait_, no_event()));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaStreamDestroy(busy));
}

}  // namespace
