// The driver's captures, also of streams and by calls of the runtime.
#include "tests/conformance/cuda_driver.h"

namespace {

constexpr size_t kSize = 64;

class DriverCaptures : public Driver {
 protected:
  void SetUp() override {
    Driver::SetUp();
    memory_ = std::make_unique<Buffer>(kSize);
    stream_ = std::make_unique<Stream>(cudaStreamNonBlocking);
  }
  void TearDown() override {
    stream_.reset();
    memory_.reset();
    Driver::TearDown();
  }
  CUstream stream() const { return *stream_; }
  void begin() { ASSERT_CU(cuStreamBeginCapture(stream())); }
  void fill(int value) { EXPECT_OK(cudaMemsetAsync(*memory_, value, kSize, stream())); }
  CUgraph end() {
    CUgraph graph = nullptr;
    EXPECT_CU(cuStreamEndCapture(stream(), &graph));
    return graph;
  }
  static size_t edges(CUgraph graph) {
    size_t count = 99;
    EXPECT_CU(cuGraphGetEdges(graph, nullptr, nullptr, &count));
    return count;
  }
  static CUstreamCaptureStatus state(CUstream stream) {
    auto told = static_cast<CUstreamCaptureStatus>(99);
    EXPECT_CU(cuStreamIsCapturing(stream, &told));
    return told;
  }
  std::unique_ptr<Buffer> memory_;
  std::unique_ptr<Stream> stream_;
};

TEST_F(DriverCaptures, cuStreamIsCapturing_tells_of_a_capture_that_the_runtime_began) {
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, state(stream()));
  ASSERT_OK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, state(stream()));
  EXPECT_CU(cuGraphDestroy(end()));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, state(stream()));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamIsCapturing(stream(), nullptr));
}

TEST_F(DriverCaptures, cuStreamIsCapturing_needs_a_context_for_the_default_stream) {
  auto told = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  ASSERT_CU(cuCtxSetCurrent(nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuStreamIsCapturing(nullptr, &told));
  ASSERT_CU(cuCtxSetCurrent(context_));
  EXPECT_CU(cuStreamIsCapturing(nullptr, &told));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, told);
}

TEST_F(DriverCaptures, cuStreamBeginCapture_keeps_work_for_the_graph) {
  begin();
  fill(5);
  CUgraph graph = end();
  EXPECT_EQ(bytes_of(kSize, 0), contents(*memory_, kSize));
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_CU(cuGraphLaunch(exec, stream()));
  EXPECT_CU(cuStreamSynchronize(stream()));
  EXPECT_EQ(bytes_of(kSize, 5), contents(*memory_, kSize));
  EXPECT_CU(cuGraphExecDestroy(exec));
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(DriverCaptures, cuStreamBeginCapture_ptsz_is_of_the_threads_own_stream) {
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  ASSERT_CU(cuStreamBeginCapture_ptsz(nullptr));
  EXPECT_CU(cuStreamIsCapturing_ptsz(nullptr, &told));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, told);
  told = CU_STREAM_CAPTURE_STATUS_NONE;
  EXPECT_CU(cuStreamGetCaptureInfo_ptsz(nullptr, &told, &id));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, told);
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, state(cudaStreamPerThread));
  CUgraph graph = nullptr;
  EXPECT_CU(cuStreamEndCapture_ptsz(nullptr, &graph));
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(DriverCaptures, cuStreamGetCaptureInfo_tells_which_capture) {
  cuuint64_t first = 0;
  cuuint64_t second = 0;
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  begin();
  EXPECT_CU(cuStreamGetCaptureInfo(stream(), &told, &first));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, told);
  EXPECT_CU(cuGraphDestroy(end()));
  begin();
  EXPECT_CU(cuStreamGetCaptureInfo(stream(), &told, &second));
  EXPECT_NE(first, second);
  EXPECT_CU(cuGraphDestroy(end()));
}

TEST_F(DriverCaptures, cuStreamGetCaptureInfo_v2_gives_graph_and_last_node) {
  begin();
  fill(5);
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  const CUgraphNode* last = nullptr;
  size_t count = 0;
  EXPECT_CU(cuStreamGetCaptureInfo_v2(stream(), &told, nullptr, &graph, &last, &count));
  EXPECT_EQ(1u, count);
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  EXPECT_CU(cuGraphNodeGetType(last[0], &type));
  EXPECT_EQ(CU_GRAPH_NODE_TYPE_MEMSET, type);
  EXPECT_EQ(graph, end());
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(DriverCaptures, cuStreamGetCaptureInfo_v3_has_plain_edges) {
  begin();
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUgraphEdgeData* edge = nullptr;
  const CUgraphNode* last = nullptr;
  size_t count = 0;
  fill(5);
  EXPECT_CU(cuStreamGetCaptureInfo_v3(stream(), &told, nullptr, nullptr, &last, &edge, &count));
  ASSERT_EQ(1u, count);
  ASSERT_NE(nullptr, edge);
  const CUgraphEdgeData plain{};
  EXPECT_EQ(0, std::memcmp(&plain, edge, sizeof plain));
  EXPECT_CU(cuStreamGetCaptureInfo_v3(stream(), &told, nullptr, nullptr, &last, nullptr, &count));
  EXPECT_EQ(1u, count);
  EXPECT_CU(cuGraphDestroy(end()));
}

TEST_F(DriverCaptures, cuStreamUpdateCaptureDependencies_sets_what_comes_before) {
  begin();
  fill(5);
  EXPECT_CU(
      cuStreamUpdateCaptureDependencies(stream(), nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  fill(6);
  CUgraph graph = end();
  EXPECT_EQ(0u, edges(graph));
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(DriverCaptures, cuStreamUpdateCaptureDependencies_v2_takes_plain_edges_only) {
  begin();
  fill(5);
  const CUgraphNode* last = nullptr;
  size_t count = 0;
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  EXPECT_CU(cuStreamGetCaptureInfo_v2(stream(), &told, nullptr, nullptr, &last, &count));
  CUgraphNode first = last[0];
  EXPECT_CU(cuStreamUpdateCaptureDependencies_v2(stream(), nullptr, nullptr, 0,
                                                 CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CUgraphEdgeData edge{};
  EXPECT_CU(cuStreamUpdateCaptureDependencies_v2(stream(), &first, &edge, 1,
                                                 CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  edge.type = 1;
  expect_refused("edgeData", [&] {
    return cuStreamUpdateCaptureDependencies_v2(stream(), &first, &edge, 1,
                                                CU_STREAM_ADD_CAPTURE_DEPENDENCIES);
  });
  fill(6);
  CUgraph graph = end();
  EXPECT_EQ(1u, edges(graph));
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(DriverCaptures, cuThreadExchangeStreamCaptureMode_gives_the_old_one) {
  auto mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (!served_since(50, cuThreadExchangeStreamCaptureMode(&mode))) return;
  EXPECT_EQ(CU_STREAM_CAPTURE_MODE_GLOBAL, mode);
  EXPECT_CU(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(CU_STREAM_CAPTURE_MODE_RELAXED, mode);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuThreadExchangeStreamCaptureMode(nullptr));
}

}  // namespace
