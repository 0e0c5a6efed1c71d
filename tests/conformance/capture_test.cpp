// Captures of streams into graphs.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 64;

class Captures : public testing::Test {
 protected:
  void begin() { ASSERT_OK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal)); }
  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamEndCapture(stream_, &graph));
    return graph;
  }
  cudaStreamCaptureStatus status(cudaStream_t stream) {
    auto told = static_cast<cudaStreamCaptureStatus>(99);
    EXPECT_OK(cudaStreamIsCapturing(stream, &told));
    return told;
  }
  Buffer memory_{kSize};
  Stream stream_{cudaStreamNonBlocking};
  Stream other_{cudaStreamNonBlocking};
};

TEST_F(Captures, cudaStreamBeginCapture_keeps_work_for_the_graph) {
  begin();
  EXPECT_OK(cudaMemsetAsync(memory_, 5, kSize, stream_));
  cudaGraph_t graph = end();
  EXPECT_EQ(bytes_of(kSize, 0), contents(memory_, kSize));
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(instantiate(&exec, graph));
  EXPECT_OK(cudaGraphLaunch(exec, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(bytes_of(kSize, 5), contents(memory_, kSize));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST_F(Captures, cudaStreamBeginCapture_not_of_the_legacy_stream) {
  EXPECT_ERROR(cudaErrorStreamCaptureUnsupported,
               cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
}

TEST_F(Captures, cudaStreamEndCapture_only_what_began) {
  cudaGraph_t graph = nullptr;
  EXPECT_NE(cudaSuccess, cudaStreamEndCapture(stream_, &graph));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
  begin();
  graph = end();
  EXPECT_NE(nullptr, graph);
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST_F(Captures, cudaStreamIsCapturing_tells_the_state) {
  EXPECT_EQ(cudaStreamCaptureStatusNone, status(stream_));
  begin();
  EXPECT_EQ(cudaStreamCaptureStatusActive, status(stream_));
  EXPECT_EQ(cudaStreamCaptureStatusNone, status(other_));
  EXPECT_OK(cudaGraphDestroy(end()));
  EXPECT_EQ(cudaStreamCaptureStatusNone, status(stream_));
}

TEST_F(Captures, cudaStreamGetCaptureInfo_tells_which_capture) {
  auto told = cudaStreamCaptureStatusNone;
  unsigned long long first = 0;
  unsigned long long second = 0;
  begin();
  EXPECT_OK(capture_info(stream_, &told, &first));
  EXPECT_EQ(cudaStreamCaptureStatusActive, told);
  EXPECT_OK(cudaGraphDestroy(end()));
  begin();
  EXPECT_OK(capture_info(stream_, &told, &second));
  EXPECT_NE(first, second);
  EXPECT_OK(cudaGraphDestroy(end()));
  EXPECT_OK(capture_info(stream_, &told, nullptr));
  EXPECT_EQ(cudaStreamCaptureStatusNone, told);
}

#if CUDA_MAJOR <= 12
TEST_F(Captures, cudaStreamGetCaptureInfo_v2_gives_the_graph) {
  begin();
  EXPECT_OK(cudaMemsetAsync(memory_, 5, kSize, stream_));
  auto told = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
  EXPECT_OK(cudaStreamGetCaptureInfo_v2(stream_, &told, &id, &graph, &last, &count));
  EXPECT_EQ(cudaStreamCaptureStatusActive, told);
  EXPECT_EQ(1u, count);
  EXPECT_NE(nullptr, graph);
  EXPECT_OK(cudaGraphDestroy(end()));
}
#endif

TEST_F(Captures, cudaStreamWaitEvent_brings_another_stream_into_the_capture) {
  const Event fork(cudaEventDisableTiming);
  const Event join(cudaEventDisableTiming);
  begin();
  EXPECT_OK(cudaEventRecord(fork, stream_));
  EXPECT_OK(cudaStreamWaitEvent(other_, fork, 0));
  EXPECT_EQ(cudaStreamCaptureStatusActive, status(other_));
  EXPECT_OK(cudaMemsetAsync(memory_, 5, kSize, other_));
  EXPECT_OK(cudaEventRecord(join, other_));
  EXPECT_OK(cudaStreamWaitEvent(stream_, join, 0));
  cudaGraph_t graph = end();
  size_t count = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(1u, count);
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST_F(Captures, cudaStreamSynchronize_invalidates_a_capture) {
  begin();
  EXPECT_ERROR(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream_));
  EXPECT_EQ(cudaStreamCaptureStatusInvalidated, status(stream_));
  cudaGraph_t graph = nullptr;
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream_, &graph));
  EXPECT_EQ(nullptr, graph);
}

TEST_F(Captures, cudaThreadExchangeStreamCaptureMode_gives_the_old_one) {
  auto mode = cudaStreamCaptureModeRelaxed;
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(cudaStreamCaptureModeGlobal, mode);
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(cudaStreamCaptureModeRelaxed, mode);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(nullptr));
}

// A captured event stands for no work that is scheduled.
TEST_F(Captures, cudaEventSynchronize_refuses_a_captured_event) {
  const Event event;
  begin();
  EXPECT_OK(cudaEventRecord(event, stream_));
  EXPECT_ERROR(cudaErrorCapturedEvent, cudaEventSynchronize(event));
  EXPECT_EQ(cudaStreamCaptureStatusInvalidated, status(stream_));
  cudaGraph_t graph = nullptr;
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream_, &graph));
}

TEST_F(Captures, cudaEventQuery_refuses_a_captured_event) {
  const Event event;
  begin();
  EXPECT_OK(cudaEventRecord(event, stream_));
  EXPECT_ERROR(cudaErrorCapturedEvent, cudaEventQuery(event));
  EXPECT_EQ(cudaStreamCaptureStatusInvalidated, status(stream_));
  cudaGraph_t graph = nullptr;
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream_, &graph));
}

// Work that was scheduled before is not part of the capture.
TEST_F(Captures, cudaEventSynchronize_waits_for_other_events) {
  const Event event;
  EXPECT_OK(cudaMemsetAsync(memory_, 1, kSize, other_));
  EXPECT_OK(cudaEventRecord(event, other_));
  begin();
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_OK(cudaEventQuery(event));
  EXPECT_EQ(cudaStreamCaptureStatusActive, status(stream_));
  EXPECT_OK(cudaGraphDestroy(end()));
}

// Recorded again outside, it is an event like any other.
TEST_F(Captures, cudaEventRecord_ends_the_capture_of_an_event) {
  const Event event;
  begin();
  EXPECT_OK(cudaEventRecord(event, stream_));
  EXPECT_OK(cudaGraphDestroy(end()));
  EXPECT_ERROR(cudaErrorCapturedEvent, cudaEventSynchronize(event));
  EXPECT_OK(cudaEventRecord(event, stream_));
  EXPECT_OK(cudaEventSynchronize(event));
}

}  // namespace
