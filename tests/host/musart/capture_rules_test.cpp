// Forks and joins, and what a capture forbids.
#include <functional>

#include "tests/host/musart/capture_support.h"

namespace {

using CaptureEvents = CaptureTest;
using Numbers = std::vector<int>;

TEST_F(CaptureEvents, musaStreamWaitEvent_forks_and_joins) {
  begin();
  launch_note(1, stream_);
  ASSERT_OK(musaEventRecord(event_, stream_));
  ASSERT_OK(musaStreamWaitEvent(other_, event_, 0));
  EXPECT_EQ(musaStreamCaptureStatusActive, status_of(other_));
  launch_note(2, other_);
  launch_note(3, stream_);
  ASSERT_OK(musaEventRecord(second_, other_));
  ASSERT_OK(musaStreamWaitEvent(stream_, second_, 0));
  launch_note(4, stream_);
  end();
  EXPECT_EQ(musaStreamCaptureStatusNone, status_of(other_));
  EXPECT_EQ(4U, node_count(captured_));
  EXPECT_EQ(4U, edge_count(captured_));
  EXPECT_EQ((Numbers{1, 2, 3, 4}), run_once(captured_));
  // The other stream works again.
  written_.clear();
  launch_note(5, other_);
  EXPECT_OK(musaStreamSynchronize(other_));
  EXPECT_EQ(Numbers{5}, written_);
}

TEST_F(CaptureEvents, musaStreamEndCapture_wants_forks_joined) {
  begin();
  ASSERT_OK(musaEventRecord(event_, stream_));
  ASSERT_OK(musaStreamWaitEvent(other_, event_, 0));
  launch_note(1, other_);
  end_invalid(musaErrorStreamCaptureUnjoined);
  EXPECT_EQ(musaStreamCaptureStatusNone, status_of(other_));
}

TEST_F(CaptureEvents, musaStreamEndCapture_wants_the_stream_it_began_in) {
  begin();
  ASSERT_OK(musaEventRecord(event_, stream_));
  ASSERT_OK(musaStreamWaitEvent(other_, event_, 0));
  musaGraph_t graph = nullptr;
  EXPECT_ERROR(musaErrorStreamCaptureUnmatched, musaStreamEndCapture(other_, &graph));
  end_invalid();
}

TEST_F(CaptureEvents, musaStreamWaitEvent_refuses_events_from_outside) {
  ASSERT_OK(musaEventRecord(event_, other_));
  begin();
  EXPECT_OK(musaStreamWaitEvent(stream_, second_, 0));  // never recorded
  EXPECT_ERROR(musaErrorStreamCaptureIsolation, musaStreamWaitEvent(stream_, event_, 0));
  end_invalid();
}

TEST_F(CaptureEvents, musaStreamWaitEvent_refuses_two_captures_in_one) {
  begin();
  ASSERT_OK(musaStreamBeginCapture(other_, musaStreamCaptureModeGlobal));
  ASSERT_OK(musaEventRecord(event_, other_));
  EXPECT_ERROR(musaErrorStreamCaptureMerge, musaStreamWaitEvent(stream_, event_, 0));
  end_invalid();
  musaGraph_t graph = nullptr;
  EXPECT_ERROR(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(other_, &graph));
}

TEST_F(CaptureEvents, musaStreamWaitEvent_refuses_events_of_ended_captures) {
  begin();
  ASSERT_OK(musaEventRecord(event_, stream_));
  end();
  EXPECT_ERROR(musaErrorCapturedEvent, musaStreamWaitEvent(other_, event_, 0));
  EXPECT_EQ(musaStreamCaptureStatusNone, status_of(other_));
  ASSERT_OK(musaEventRecord(event_, other_));
  EXPECT_OK(musaStreamWaitEvent(stream_, event_, 0));
}

TEST_F(CaptureEvents, musaStreamWaitEvent_external_becomes_a_node) {
  ASSERT_OK(musaEventRecord(event_, other_));
  begin();
  ASSERT_OK(musaStreamWaitEvent(stream_, event_, musaEventWaitExternal));
  end();
  EXPECT_EQ(musaGraphNodeTypeEventWait, type_of(nodes_of(captured_).at(0)));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamWaitEvent(stream_, event_, musaEventWaitExternal));
}

TEST_F(CaptureEvents, musaEventRecordWithFlags_external_becomes_a_node) {
  begin();
  ASSERT_OK(musaEventRecordWithFlags(event_, stream_, musaEventRecordExternal));
  end();
  EXPECT_EQ(musaGraphNodeTypeEventRecord, type_of(nodes_of(captured_).at(0)));
  run_once(captured_);
  EXPECT_OK(musaEventSynchronize(event_));
  float ms = -1;
  ASSERT_OK(musaEventRecord(second_, stream_));
  ASSERT_OK(musaEventSynchronize(second_));
  EXPECT_OK(musaEventElapsedTime(&ms, event_, second_));
  EXPECT_GE(ms, 0.0F);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaEventRecordWithFlags(event_, stream_, musaEventRecordExternal));
}

TEST_F(CaptureEvents, musaEventQuery_refuses_captured_events) {
  begin();
  ASSERT_OK(musaEventRecord(event_, stream_));
  EXPECT_ERROR(musaErrorCapturedEvent, musaEventQuery(event_));
  end_invalid();
  begin();
  ASSERT_OK(musaEventRecord(event_, stream_));
  EXPECT_ERROR(musaErrorCapturedEvent, musaEventSynchronize(event_));
  end_invalid();
  begin();
  ASSERT_OK(musaEventRecord(event_, stream_));
  float ms = 0;
  ASSERT_OK(musaEventRecord(second_, other_));
  EXPECT_ERROR(musaErrorCapturedEvent, musaEventElapsedTime(&ms, event_, second_));
  end_invalid();
  // Recording the event again makes it usable.
  ASSERT_OK(musaEventRecord(event_, stream_));
  EXPECT_OK(musaEventSynchronize(event_));
}

// Calls that invalidate a capture, and their errors.
struct Forbidden {
  const char* name;
  musaError_t error;
  std::function<musaError_t(musaStream_t)> call;
};
void PrintTo(const Forbidden& forbidden, std::ostream* out) { *out << forbidden.name; }

class CaptureForbidden : public CaptureTest, public ::testing::WithParamInterface<Forbidden> {};

TEST_P(CaptureForbidden, IsRefusedAndSpoilsTheCapture) {
  begin();
  EXPECT_ERROR(GetParam().error, GetParam().call(stream_));
  EXPECT_EQ(musaStreamCaptureStatusInvalidated, status_of(stream_));
  const musaHostNodeParams params = note(1);
  EXPECT_ERROR(musaErrorStreamCaptureInvalidated,
               musaLaunchHostFunc(stream_, params.fn, params.userData));
  end_invalid();
}

int host_value = 0;
void* unused = nullptr;

INSTANTIATE_TEST_SUITE_P(
    Calls, CaptureForbidden,
    ::testing::Values(Forbidden{"musaMalloc", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t) { return musaMalloc(&unused, 4); }},
                      Forbidden{"musaMallocHost", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t) { return musaMallocHost(&unused, 4); }},
                      Forbidden{"musaFree", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t) { return musaFree(&host_value); }},
                      Forbidden{"musaStreamSynchronize", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t stream) { return musaStreamSynchronize(stream); }},
                      Forbidden{"musaStreamQuery", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t stream) { return musaStreamQuery(stream); }},
                      Forbidden{"musaDeviceSynchronize", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t) { return musaDeviceSynchronize(); }},
                      Forbidden{"musaDeviceReset", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t) { return musaDeviceReset(); }},
                      Forbidden{"musaStreamAddCallback", musaErrorStreamCaptureUnsupported,
                                [](musaStream_t stream) {
                                  return musaStreamAddCallback(
                                      stream, [](musaStream_t, musaError_t, void*) {}, nullptr, 0);
                                }}),
    [](const auto& tested) { return std::string(tested.param.name); });

using CaptureModes = CaptureTest;

TEST_F(CaptureModes, musaThreadExchangeStreamCaptureMode_decides_what_is_unsafe) {
  void* memory = nullptr;
  begin();
  auto mode = musaStreamCaptureModeRelaxed;
  ASSERT_OK(musaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(musaStreamCaptureModeGlobal, mode);
  EXPECT_OK(musaMalloc(&memory, 4));
  EXPECT_OK(musaFree(memory));
  ASSERT_OK(musaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(musaStreamCaptureModeRelaxed, mode);
  EXPECT_EQ(musaStreamCaptureStatusActive, status_of(stream_));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaMalloc(&memory, 4));
  end_invalid();
}

TEST_F(CaptureModes, musaStreamBeginCapture_global_concerns_other_threads) {
  begin(musaStreamCaptureModeGlobal);
  std::thread([] {
    void* memory = nullptr;
    auto mode = musaStreamCaptureModeThreadLocal;
    ASSERT_OK(musaThreadExchangeStreamCaptureMode(&mode));
    EXPECT_OK(musaMalloc(&memory, 4));
    EXPECT_OK(musaFree(memory));
    ASSERT_OK(musaThreadExchangeStreamCaptureMode(&mode));
    EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaMalloc(&memory, 4));
  }).join();
  end_invalid();
}

TEST_F(CaptureModes, musaStreamBeginCapture_thread_local_concerns_one_thread) {
  begin(musaStreamCaptureModeThreadLocal);
  void* memory = nullptr;
  std::thread([&] {
    EXPECT_OK(musaMalloc(&memory, 4));
    EXPECT_OK(musaFree(memory));
  }).join();
  EXPECT_EQ(musaStreamCaptureStatusActive, status_of(stream_));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaMalloc(&memory, 4));
  end_invalid();
}

TEST_F(CaptureModes, musaStreamBeginCapture_relaxed_forbids_nothing_unsafe) {
  begin(musaStreamCaptureModeRelaxed);
  void* memory = nullptr;
  EXPECT_OK(musaMalloc(&memory, 4));
  EXPECT_OK(musaFree(memory));
  end();
}

// A capture in a stream that is ordered with the legacy stream.
class CaptureBlocking : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    ASSERT_OK(musaStreamDestroy(stream_));
    ASSERT_OK(musaStreamCreate(&stream_));
    begin(musaStreamCaptureModeRelaxed);
  }
};

TEST_F(CaptureBlocking, musaStreamIsCapturing_of_the_legacy_stream_is_an_error_only) {
  auto status = musaStreamCaptureStatusNone;
  EXPECT_ERROR(musaErrorStreamCaptureImplicit, musaStreamIsCapturing(nullptr, &status));
  EXPECT_ERROR(musaErrorStreamCaptureImplicit, musaStreamGetCaptureInfo_v2(nullptr, &status));
  end();
}

TEST_F(CaptureBlocking, musaLaunchHostFunc_in_the_legacy_stream_spoils_it) {
  const musaHostNodeParams params = note(1);
  EXPECT_ERROR(musaErrorStreamCaptureImplicit,
               musaLaunchHostFunc(nullptr, params.fn, params.userData));
  end_invalid();
  EXPECT_EQ(Numbers{}, written_);
}

TEST_F(CaptureBlocking, musaMemcpy_spoils_it) {
  int from = 0;
  EXPECT_ERROR(musaErrorStreamCaptureImplicit,
               musaMemcpy(&host_value, &from, 4, musaMemcpyHostToHost));
  end_invalid();
}

TEST_F(CaptureBlocking, musaStreamSynchronize_of_the_legacy_stream_spoils_it) {
  EXPECT_ERROR(musaErrorStreamCaptureImplicit, musaStreamSynchronize(nullptr));
  end_invalid();
}

}  // namespace
