// Captures of streams into graphs.
#include <functional>

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
  std::vector<unsigned char> contents_ = counted(kSize);
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

// What the captured work may depend on spoils the capture, also if it concerns other streams.
TEST_F(Captures, cudaEventSynchronize_and_its_like_spoil_it) {
  const Event event;
  EXPECT_OK(cudaEventRecord(event, other_));
  EXPECT_OK(cudaStreamSynchronize(other_));
  cudaGraph_t empty = nullptr;
  cudaMemPool_t pool = nullptr;
  ASSERT_OK(cudaGraphCreate(&empty, 0));
  ASSERT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  void* memory = nullptr;
  cudaGraphExec_t exec = nullptr;
  std::vector<unsigned char> more(kSize);
  ASSERT_OK(cudaHostRegister(contents_.data(), kSize, 0));
  const std::function<cudaError_t()> calls[] = {
      [&] { return cudaEventSynchronize(event); },
      [&] { return cudaEventQuery(event); },
      [&] { return cudaStreamSynchronize(other_); },
      [&] { return cudaStreamQuery(other_); },
      [&] { return cudaDeviceSynchronize(); },
      [&] { return cudaMalloc(&memory, 64); },
      [&] { return cudaFree(nullptr); },
      [&] { return cudaMallocAsync(&memory, 64, other_); },
      [&] { return cudaFreeAsync(nullptr, other_); },
      [&] { return cudaHostRegister(more.data(), kSize, 0); },
      [&] { return cudaHostUnregister(contents_.data()); },
      [&] { return cudaMemPoolTrimTo(pool, 0); },
      [&] { return instantiate(&exec, empty); }};
  for (const auto& call : calls) {
    SCOPED_TRACE(&call - calls);
    begin();
    EXPECT_ERROR(cudaErrorStreamCaptureUnsupported, call());
    EXPECT_EQ(cudaStreamCaptureStatusInvalidated, status(stream_));
    cudaGraph_t graph = nullptr;
    EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream_, &graph));
  }
  EXPECT_OK(cudaHostUnregister(contents_.data()));
  EXPECT_OK(cudaGraphDestroy(empty));
}

TEST_F(Captures, cudaMemcpy_and_other_work_elsewhere_leave_it_alone) {
  const Event event;
  begin();
  EXPECT_OK(cudaMemcpy(memory_, contents_.data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(contents_.data(), memory_, kSize, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaMemset(memory_, 1, kSize));
  EXPECT_OK(cudaMemsetAsync(memory_, 1, kSize, other_));
  EXPECT_OK(cudaEventRecord(event, other_));
  EXPECT_OK(cudaStreamWaitEvent(other_, event, 0));
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
