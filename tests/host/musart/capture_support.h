// Shared by the tests of captures.
#ifndef TORCHADA_TESTS_HOST_MUSART_CAPTURE_SUPPORT_H_
#define TORCHADA_TESTS_HOST_MUSART_CAPTURE_SUPPORT_H_

#include <thread>

#include "tests/host/musart/graph_support.h"

// Captures in stream_. Use other_ and event_ for forks.
class CaptureTest : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    ASSERT_OK(musaStreamCreateWithFlags(&other_, musaStreamNonBlocking));
    ASSERT_OK(musaEventCreate(&event_));
    ASSERT_OK(musaEventCreate(&second_));
  }
  void TearDown() override {
    if (captured_ != nullptr) {
      EXPECT_OK(musaGraphDestroy(captured_));
    }
    EXPECT_OK(musaEventDestroy(event_));
    EXPECT_OK(musaEventDestroy(second_));
    EXPECT_OK(musaStreamDestroy(other_));
    GraphTest::TearDown();
  }
  void begin(musaStreamCaptureMode mode = musaStreamCaptureModeGlobal) {
    ASSERT_OK(musaStreamBeginCapture(stream_, mode));
  }
  void end() { ASSERT_OK(musaStreamEndCapture(stream_, &captured_)); }
  // Ends an invalid capture.
  void end_invalid(musaError_t error = musaErrorStreamCaptureInvalidated) {
    musaGraph_t graph = no_graph();
    EXPECT_ERROR(error, musaStreamEndCapture(stream_, &graph));
    EXPECT_EQ(nullptr, graph);
    EXPECT_EQ(musaStreamCaptureStatusNone, status_of(stream_));
  }
  void launch_note(int number, musaStream_t stream) {
    const musaHostNodeParams params = note(number);
    EXPECT_OK(musaLaunchHostFunc(stream, params.fn, params.userData));
  }
  static musaStreamCaptureStatus status_of(musaStream_t stream) {
    auto status = static_cast<musaStreamCaptureStatus>(9);
    EXPECT_OK(musaStreamIsCapturing(stream, &status));
    return status;
  }
  musaStream_t other_ = nullptr;
  musaEvent_t event_ = nullptr;
  musaEvent_t second_ = nullptr;
  musaGraph_t captured_ = nullptr;
};

#endif  // TORCHADA_TESTS_HOST_MUSART_CAPTURE_SUPPORT_H_
