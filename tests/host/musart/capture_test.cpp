#include "tests/host/musart/capture_support.h"

namespace {

using Capture = CaptureTest;
using Nodes = std::vector<musaGraphNode_t>;
using Numbers = std::vector<int>;

TEST_F(Capture, musaStreamBeginCapture_makes_work_wait_for_launches) {
  begin();
  launch_note(1, stream_);
  launch_note(2, stream_);
  EXPECT_EQ(Numbers{}, written_);
  end();
  EXPECT_EQ(2U, node_count(captured_));
  EXPECT_EQ(1U, edge_count(captured_));
  EXPECT_EQ((Numbers{1, 2}), run_once(captured_));
  // The stream works normally again.
  written_.clear();
  launch_note(3, stream_);
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(Numbers{3}, written_);
}

TEST_F(Capture, musaStreamBeginCapture_checks_its_arguments) {
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported,
               musaStreamBeginCapture(nullptr, musaStreamCaptureModeGlobal));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported,
               musaStreamBeginCapture(musaStreamLegacy, musaStreamCaptureModeGlobal));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaStreamBeginCapture(no_stream(), musaStreamCaptureModeGlobal));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamBeginCapture(stream_, static_cast<musaStreamCaptureMode>(3)));
  begin();
  EXPECT_ERROR(musaErrorIllegalState, musaStreamBeginCapture(stream_, musaStreamCaptureModeGlobal));
  end();
}

TEST_F(Capture, musaStreamEndCapture_gives_the_graph) {
  begin();
  end();
  EXPECT_NE(nullptr, captured_);
  EXPECT_EQ(0U, node_count(captured_));
  musaGraph_t graph = nullptr;
  EXPECT_ERROR(musaErrorIllegalState, musaStreamEndCapture(stream_, &graph));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamEndCapture(stream_, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamEndCapture(no_stream(), &graph));
}

TEST_F(Capture, musaStreamEndCapture_wants_the_thread_that_began) {
  begin(musaStreamCaptureModeThreadLocal);
  musaGraph_t graph = nullptr;
  std::thread([&] {
    EXPECT_ERROR(musaErrorStreamCaptureWrongThread, musaStreamEndCapture(stream_, &graph));
  }).join();
  end();
  EXPECT_OK(musaGraphDestroy(captured_));
  begin(musaStreamCaptureModeRelaxed);
  std::thread([&] { end(); }).join();
}

TEST_F(Capture, musaStreamIsCapturing_follows_the_capture) {
  EXPECT_EQ(musaStreamCaptureStatusNone, status_of(stream_));
  begin();
  EXPECT_EQ(musaStreamCaptureStatusActive, status_of(stream_));
  EXPECT_EQ(musaStreamCaptureStatusNone, status_of(other_));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamIsCapturing(stream_, nullptr));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(stream_));
  EXPECT_EQ(musaStreamCaptureStatusInvalidated, status_of(stream_));
  end_invalid();
}

TEST_F(Capture, musaStreamGetCaptureInfo_v2_describes_the_capture) {
  begin();
  auto status = musaStreamCaptureStatusNone;
  unsigned long long id = 0;
  musaGraph_t graph = nullptr;
  const musaGraphNode_t* dependencies = nullptr;
  size_t count = 9;
  ASSERT_OK(musaStreamGetCaptureInfo_v2(stream_, &status, &id, &graph, &dependencies, &count));
  EXPECT_EQ(musaStreamCaptureStatusActive, status);
  EXPECT_NE(0U, id);
  EXPECT_EQ(0U, count);
  launch_note(1, stream_);
  ASSERT_OK(musaStreamGetCaptureInfo_v2(stream_, &status, nullptr, nullptr, &dependencies, &count));
  ASSERT_EQ(1U, count);
  EXPECT_EQ(nodes_of(graph), Nodes{dependencies[0]});
  // Only the capture may end its graph.
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroy(graph));
  end();
  EXPECT_EQ(graph, captured_);
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamGetCaptureInfo_v2(stream_, nullptr));
}

TEST_F(Capture, musaStreamGetCaptureInfo_v2_tells_captures_apart) {
  begin();
  unsigned long long first = 0;
  unsigned long long second = 0;
  auto status = musaStreamCaptureStatusNone;
  ASSERT_OK(musaStreamGetCaptureInfo_v2(stream_, &status, &first));
  ASSERT_OK(musaStreamBeginCapture(other_, musaStreamCaptureModeGlobal));
  ASSERT_OK(musaStreamGetCaptureInfo_v2(other_, &status, &second));
  EXPECT_EQ(musaStreamCaptureStatusActive, status);
  EXPECT_NE(first, second);
  end();
  musaGraph_t graph = nullptr;
  ASSERT_OK(musaStreamEndCapture(other_, &graph));
  EXPECT_OK(musaGraphDestroy(graph));
}

TEST_F(Capture, musaStreamGetCaptureInfo_v3_gives_default_edges) {
  begin();
  launch_note(1, stream_);
  auto status = musaStreamCaptureStatusNone;
  const musaGraphNode_t* dependencies = nullptr;
  const musaGraphEdgeData* edges = nullptr;
  size_t count = 0;
  ASSERT_OK(musaStreamGetCaptureInfo_v3(stream_, &status, nullptr, nullptr, &dependencies, &edges,
                                        &count));
  ASSERT_EQ(1U, count);
  ASSERT_NE(nullptr, edges);
  EXPECT_EQ(0, edges[0].type);
  end();
}

TEST_F(Capture, musaStreamUpdateCaptureDependencies_sets_and_adds) {
  begin();
  launch_note(1, stream_);
  musaGraph_t graph = nullptr;
  auto status = musaStreamCaptureStatusNone;
  ASSERT_OK(musaStreamGetCaptureInfo_v2(stream_, &status, nullptr, &graph));
  const musaGraphNode_t first = nodes_of(graph)[0];
  ASSERT_OK(
      musaStreamUpdateCaptureDependencies(stream_, nullptr, 0, musaStreamSetCaptureDependencies));
  launch_note(2, stream_);
  EXPECT_EQ(0U, edge_count(graph));
  musaGraphNode_t added[] = {first};
  ASSERT_OK(
      musaStreamUpdateCaptureDependencies(stream_, added, 1, musaStreamAddCaptureDependencies));
  launch_note(3, stream_);
  EXPECT_EQ(2U, edge_count(graph));
  added[0] = no_node();
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamUpdateCaptureDependencies(
                                          stream_, added, 1, musaStreamAddCaptureDependencies));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamUpdateCaptureDependencies(stream_, added, 0, 5));
  end();
  EXPECT_ERROR(musaErrorIllegalState, musaStreamUpdateCaptureDependencies(stream_, nullptr, 0, 0));
}

TEST_F(Capture, musaStreamUpdateCaptureDependencies_v2_accepts_default_edges_only) {
  begin();
  launch_note(1, stream_);
  musaGraph_t graph = nullptr;
  auto status = musaStreamCaptureStatusNone;
  ASSERT_OK(musaStreamGetCaptureInfo_v2(stream_, &status, nullptr, &graph));
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddEmptyNode(&node, graph, nullptr, 0));
  musaGraphEdgeData edge{};
  edge.type = 1;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamUpdateCaptureDependencies_v2(stream_, &node, &edge, 1,
                                                      musaStreamAddCaptureDependencies));
  edge.type = 0;
  ASSERT_OK(musaStreamUpdateCaptureDependencies_v2(stream_, &node, &edge, 1,
                                                   musaStreamAddCaptureDependencies));
  launch_note(2, stream_);
  end();
  EXPECT_EQ(2U, edge_count(captured_));
}

TEST_F(Capture, musaStreamBeginCaptureToGraph_adds_to_the_graph) {
  const auto first = add_note(1);
  ASSERT_OK(musaStreamBeginCaptureToGraph(stream_, graph_, &first, nullptr, 1,
                                          musaStreamCaptureModeGlobal));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphDestroy(graph_));
  launch_note(2, stream_);
  musaGraph_t graph = nullptr;
  ASSERT_OK(musaStreamEndCapture(stream_, &graph));
  EXPECT_EQ(graph_, graph);
  EXPECT_EQ(1U, edge_count(graph_));
  EXPECT_EQ((Numbers{1, 2}), run_once());
  const auto begin_with = [&](musaGraph_t into, const musaGraphNode_t* nodes, size_t count) {
    return musaStreamBeginCaptureToGraph(stream_, into, nodes, nullptr, count,
                                         musaStreamCaptureModeGlobal);
  };
  EXPECT_ERROR(musaErrorInvalidValue, begin_with(no_graph(), nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue, begin_with(graph_, nullptr, 1));
  const auto foreign = no_node();
  EXPECT_ERROR(musaErrorInvalidValue, begin_with(graph_, &foreign, 1));
}

TEST_F(Capture, musaStreamBeginCaptureToGraph_leaves_the_graph_if_it_fails) {
  ASSERT_OK(musaStreamBeginCaptureToGraph(stream_, graph_, nullptr, nullptr, 0,
                                          musaStreamCaptureModeGlobal));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaStreamQuery(stream_));
  end_invalid();
  EXPECT_EQ(0U, node_count(graph_));
}

TEST_F(Capture, musaMemcpyAsync_is_captured) {
  const DeviceInts to(4);
  std::vector<int> from = {1, 2, 3, 4};
  begin();
  ASSERT_OK(musaMemcpyAsync(to.get(), from.data(), 16, musaMemcpyHostToDevice, stream_));
  end();
  ASSERT_EQ(1U, node_count(captured_));
  musaMemcpy3DParms params{};
  ASSERT_OK(musaGraphMemcpyNodeGetParams(nodes_of(captured_)[0], &params));
  EXPECT_EQ(to.get(), params.dstPtr.ptr);
  EXPECT_EQ(from.data(), params.srcPtr.ptr);
  EXPECT_EQ(16U, params.extent.width);
  EXPECT_EQ(musaMemcpyHostToDevice, params.kind);
  EXPECT_EQ((Numbers{0, 0, 0, 0}), to.read());
  from[0] = 9;
  run_once(captured_);
  EXPECT_EQ((Numbers{9, 2, 3, 4}), to.read());
  // The captured parameters are valid as new parameters.
  EXPECT_OK(musaGraphMemcpyNodeSetParams(nodes_of(captured_)[0], &params));
}

TEST_F(Capture, musaMemcpy2DAsync_is_captured) {
  const DeviceInts to(4);
  const DeviceInts from(4, 1);
  begin();
  ASSERT_OK(musaMemcpy2DAsync(to.get(), 8, from.get(), 8, 4, 2, musaMemcpyDeviceToDevice, stream_));
  end();
  const auto node = nodes_of(captured_).at(0);
  musaMemcpy3DParms params{};
  ASSERT_OK(musaGraphMemcpyNodeGetParams(node, &params));
  EXPECT_EQ(2U, params.extent.height);
  ASSERT_OK(musaGraphMemcpyNodeSetParams(node, &params));
  run_once(captured_);
  EXPECT_EQ((Numbers{0x01010101, 0, 0x01010101, 0}), to.read());
}

TEST_F(Capture, musaMemcpy3DAsync_is_captured) {
  const DeviceInts to(4);
  const DeviceInts from(4, 1);
  musaMemcpy3DParms params{};
  params.dstPtr = {to.get(), 4, 4, 2};
  params.srcPtr = {from.get(), 4, 4, 2};
  params.extent = {4, 1, 2};
  params.kind = musaMemcpyDefault;
  begin();
  ASSERT_OK(musaMemcpy3DAsync(&params, stream_));
  end();
  const auto node = nodes_of(captured_).at(0);
  ASSERT_OK(musaGraphMemcpyNodeGetParams(node, &params));
  EXPECT_EQ(2U, params.extent.depth);
  ASSERT_OK(musaGraphMemcpyNodeSetParams(node, &params));
  run_once(captured_);
  EXPECT_EQ((Numbers{0x01010101, 0, 0x01010101, 0}), to.read());
}

TEST_F(Capture, musaMemcpyPeerAsync_is_captured) {
  const DeviceInts to(2);
  const DeviceInts from(2, 1);
  begin();
  ASSERT_OK(musaMemcpyPeerAsync(to.get(), 0, from.get(), 0, 4, stream_));
  end();
  EXPECT_EQ((Numbers{0, 0}), to.read());
  run_once(captured_);
  EXPECT_EQ((Numbers{0x01010101, 0}), to.read());
}

TEST_F(Capture, musaMemsetAsync_is_captured) {
  const DeviceInts to(1);
  begin();
  ASSERT_OK(musaMemsetAsync(to.get(), 1, 4, stream_));
  end();
  EXPECT_EQ(musaGraphNodeTypeMemset, type_of(nodes_of(captured_).at(0)));
  EXPECT_EQ(Numbers{0}, to.read());
  run_once(captured_);
  EXPECT_EQ(Numbers{0x01010101}, to.read());
}

TEST_F(Capture, musaMemset3DAsync_is_captured_slice_by_slice) {
  const DeviceInts to(6);
  begin();
  ASSERT_OK(musaMemset3DAsync({to.get(), 4, 4, 3}, 1, {4, 2, 2}, stream_));
  end();
  EXPECT_EQ(2U, node_count(captured_));
  EXPECT_EQ(1U, edge_count(captured_));
  run_once(captured_);
  const int filled = 0x01010101;
  EXPECT_EQ((Numbers{filled, filled, 0, filled, filled, 0}), to.read());
}

TEST_F(Capture, musaMallocAsync_becomes_nodes_of_the_graph) {
  begin();
  void* memory = nullptr;
  ASSERT_OK(musaMallocAsync(&memory, 4, stream_));
  ASSERT_NE(nullptr, memory);
  ASSERT_OK(musaMemsetAsync(memory, 7, 4, stream_));
  int value = 0;
  ASSERT_OK(musaMemcpyAsync(&value, memory, 4, musaMemcpyDeviceToHost, stream_));
  ASSERT_OK(musaFreeAsync(memory, stream_));
  end();
  ASSERT_EQ(4U, node_count(captured_));
  EXPECT_EQ(musaGraphNodeTypeMemAlloc, type_of(nodes_of(captured_)[0]));
  EXPECT_EQ(musaGraphNodeTypeMemFree, type_of(nodes_of(captured_)[3]));
  musaGraphExec_t exec = instantiate(captured_);
  for (int i = 0; i < 2; ++i) {
    value = 0;
    run(exec);
    EXPECT_EQ(0x07070707, value);
  }
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(Capture, musaMallocAsync_has_no_place_in_a_child_graph) {
  musaGraph_t inner = nullptr;
  ASSERT_OK(musaGraphCreate(&inner, 0));
  musaGraphNode_t child = nullptr;
  ASSERT_OK(musaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  EXPECT_OK(musaGraphDestroy(inner));
  ASSERT_OK(musaGraphChildGraphNodeGetGraph(child, &inner));
  ASSERT_OK(musaStreamBeginCaptureToGraph(stream_, inner, nullptr, nullptr, 0,
                                          musaStreamCaptureModeGlobal));
  void* memory = nullptr;
  EXPECT_ERROR(musaErrorNotSupported, musaMallocAsync(&memory, 4, stream_));
  ASSERT_OK(musaStreamEndCapture(stream_, &inner));
  EXPECT_EQ(0U, node_count(inner));
}

TEST_F(Capture, musaFreeAsync_takes_only_memory_of_graphs) {
  void* memory = nullptr;
  ASSERT_OK(musaMallocAsync(&memory, 4, stream_));
  begin();
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(memory, stream_));
  end();
  EXPECT_EQ(0U, node_count(captured_));
  EXPECT_OK(musaFreeAsync(memory, stream_));
}

TEST_F(Capture, musaGraphLaunch_becomes_a_child) {
  add_note(1);
  musaGraphExec_t exec = instantiate();
  begin();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  launch_note(2, stream_);
  end();
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_EQ(musaGraphNodeTypeChildGraph, type_of(nodes_of(captured_)[0]));
  EXPECT_EQ(Numbers{}, written_);
  EXPECT_EQ((Numbers{1, 2}), run_once(captured_));
}

TEST_F(Capture, musaLaunchKernel_fails_as_outside) {
  begin();
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(&captured_, dim3(1), dim3(1), nullptr, 0, stream_));
  end();
}

TEST_F(Capture, musaStreamDestroy_ends_the_capture_that_began_there) {
  begin();
  musaGraph_t graph = nullptr;
  auto status = musaStreamCaptureStatusNone;
  ASSERT_OK(musaStreamGetCaptureInfo_v2(stream_, &status, nullptr, &graph));
  ASSERT_OK(musaStreamDestroy(stream_));
  size_t count = 0;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphGetNodes(graph, nullptr, &count));
  EXPECT_OK(musaDeviceSynchronize());
  ASSERT_OK(musaStreamCreate(&stream_));
}

TEST_F(Capture, musaStreamBeginCapture_ends_with_the_thread_of_its_stream) {
  std::thread([] {
    ASSERT_OK(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeGlobal));
  }).join();
  EXPECT_OK(musaDeviceSynchronize());
  void* memory = nullptr;
  EXPECT_OK(musaMalloc(&memory, 4));
  EXPECT_OK(musaFree(memory));
}

// Tests the per-thread form of each function.
class CapturePerThread : public CaptureTest {
 protected:
  void TearDown() override {
    EXPECT_OK(musaStreamSynchronize(musaStreamPerThread));
    CaptureTest::TearDown();
  }
};

TEST_F(CapturePerThread, musaStreamBeginCapture_ptsz_captures_the_thread_stream) {
  ASSERT_OK(musaStreamBeginCapture_ptsz(nullptr, musaStreamCaptureModeGlobal));
  EXPECT_EQ(musaStreamCaptureStatusActive, status_of(musaStreamPerThread));
  ASSERT_OK(musaStreamEndCapture(musaStreamPerThread, &captured_));
}

TEST_F(CapturePerThread, musaStreamEndCapture_ptsz_ends_it) {
  ASSERT_OK(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeGlobal));
  ASSERT_OK(musaStreamEndCapture_ptsz(nullptr, &captured_));
  EXPECT_NE(nullptr, captured_);
  EXPECT_EQ(musaStreamCaptureStatusNone, status_of(musaStreamPerThread));
}

TEST_F(CapturePerThread, musaStreamBeginCaptureToGraph_ptsz_captures_the_thread_stream) {
  ASSERT_OK(musaStreamBeginCaptureToGraph_ptsz(nullptr, graph_, nullptr, nullptr, 0,
                                               musaStreamCaptureModeGlobal));
  launch_note(1, musaStreamPerThread);
  musaGraph_t graph = nullptr;
  ASSERT_OK(musaStreamEndCapture_ptsz(nullptr, &graph));
  EXPECT_EQ(1U, node_count(graph_));
}

class CapturePerThreadInfo : public CapturePerThread {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    ASSERT_OK(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeGlobal));
    launch_note(1, musaStreamPerThread);
  }
  void TearDown() override {
    EXPECT_OK(musaStreamEndCapture(musaStreamPerThread, &captured_));
    CapturePerThread::TearDown();
  }
  musaStreamCaptureStatus status_ = musaStreamCaptureStatusNone;
  unsigned long long id_ = 0;
  musaGraph_t found_ = nullptr;
  const musaGraphNode_t* dependencies_ = nullptr;
  size_t count_ = 0;
};

TEST_F(CapturePerThreadInfo, musaStreamIsCapturing_ptsz_tells_of_the_thread_stream) {
  ASSERT_OK(musaStreamIsCapturing_ptsz(nullptr, &status_));
  EXPECT_EQ(musaStreamCaptureStatusActive, status_);
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamIsCapturing_ptsz(nullptr, nullptr));
}

TEST_F(CapturePerThreadInfo, musaStreamGetCaptureInfo_v2_ptsz_describes_it) {
  ASSERT_OK(
      musaStreamGetCaptureInfo_v2_ptsz(nullptr, &status_, &id_, &found_, &dependencies_, &count_));
  EXPECT_EQ(musaStreamCaptureStatusActive, status_);
  EXPECT_EQ(1U, count_);
}

TEST_F(CapturePerThreadInfo, musaStreamGetCaptureInfo_v3_ptsz_describes_it) {
  const musaGraphEdgeData* edges = nullptr;
  ASSERT_OK(musaStreamGetCaptureInfo_v3_ptsz(nullptr, &status_, &id_, &found_, &dependencies_,
                                             &edges, &count_));
  EXPECT_EQ(musaStreamCaptureStatusActive, status_);
  EXPECT_NE(nullptr, edges);
}

TEST_F(CapturePerThreadInfo, musaStreamUpdateCaptureDependencies_ptsz_changes_them) {
  ASSERT_OK(musaStreamUpdateCaptureDependencies_ptsz(nullptr, nullptr, 0,
                                                     musaStreamSetCaptureDependencies));
  ASSERT_OK(musaStreamGetCaptureInfo_v2(musaStreamPerThread, &status_, nullptr, nullptr, nullptr,
                                        &count_));
  EXPECT_EQ(0U, count_);
}

TEST_F(CapturePerThreadInfo, musaStreamUpdateCaptureDependencies_v2_ptsz_changes_them) {
  count_ = 9;
  ASSERT_OK(musaStreamUpdateCaptureDependencies_v2_ptsz(nullptr, nullptr, nullptr, 0,
                                                        musaStreamSetCaptureDependencies));
  ASSERT_OK(musaStreamGetCaptureInfo_v2(musaStreamPerThread, &status_, nullptr, nullptr, nullptr,
                                        &count_));
  EXPECT_EQ(0U, count_);
}

TEST_F(CapturePerThread, musaGraphLaunch_ptsz_launches_in_the_thread_stream) {
  add_note(1);
  musaGraphExec_t exec = instantiate();
  Barrier barrier;
  barrier.hold(musaStreamPerThread);
  ASSERT_OK(musaGraphLaunch_ptsz(exec, nullptr));
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(musaStreamPerThread));
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(musaStreamPerThread));
  EXPECT_EQ(Numbers{1}, written_);
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(CapturePerThread, musaGraphUpload_ptsz_takes_the_thread_stream) {
  musaGraphExec_t exec = instantiate();
  EXPECT_OK(musaGraphUpload_ptsz(exec, nullptr));
  ASSERT_OK(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeGlobal));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaGraphUpload_ptsz(exec, nullptr));
  musaGraph_t graph = nullptr;
  EXPECT_ERROR(musaErrorStreamCaptureInvalidated,
               musaStreamEndCapture(musaStreamPerThread, &graph));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(CapturePerThread, musaGraphInstantiateWithParams_ptsz_makes_it) {
  add_note(1);
  musaGraphInstantiateParams params{};
  params.flags = musaGraphInstantiateFlagUpload;
  params.result_out = musaGraphInstantiateError;
  musaGraphExec_t exec = nullptr;
  ASSERT_OK(musaGraphInstantiateWithParams_ptsz(&exec, graph_, &params));
  EXPECT_EQ(musaGraphInstantiateSuccess, params.result_out);
  EXPECT_EQ(nullptr, params.uploadStream);
  EXPECT_EQ(Numbers{1}, run(exec));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphInstantiateWithParams_ptsz(&exec, graph_, nullptr));
}

}  // namespace
