// Events.
#include <thread>

#include "tests/conformance/support.h"

namespace {

TEST(Events, cudaEventCreate_is_reached_until_it_is_recorded) {
  cudaEvent_t event = nullptr;
  ASSERT_OK(cudaEventCreate(&event));
  ASSERT_NE(nullptr, event);
  EXPECT_OK(cudaEventQuery(event));
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaEventCreate(nullptr));
}

TEST(Events, cudaEventCreateWithFlags_refuses_flags_that_do_not_fit) {
  cudaEvent_t event = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x100));
  // Events shared between processes have no timing.
  EXPECT_ERROR(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaEventCreateWithFlags(nullptr, 0));
  ASSERT_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  EXPECT_OK(cudaEventRecord(event, nullptr));
  EXPECT_OK(cudaEventDestroy(event));
}

TEST(Events, cudaEventDestroy_only_events_and_only_once) {
  cudaEvent_t event = nullptr;
  ASSERT_OK(cudaEventCreate(&event));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventDestroy(event));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventDestroy(bad_event()));
}

TEST(Events, cudaEventRecord_marks_what_came_before_in_the_stream) {
  Stream stream;
  const Event event;
  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaEventRecord(event, stream));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_OK(cudaEventQuery(event));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventRecord(bad_event(), stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventRecord(event, bad_stream()));
}

TEST(Events, cudaEventRecordWithFlags_marks_what_came_before_in_the_stream) {
  Stream stream;
  const Event event;
  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaEventRecordWithFlags(event, stream, 0));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  gate.open();
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, stream, 0x40));
}

TEST(Events, cudaEventQuery_does_not_wait) {
  Stream stream;
  const Event event;
  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaEventRecord(event, stream));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  gate.open();
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_OK(cudaEventQuery(event));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventQuery(bad_event()));
}

TEST(Events, cudaEventSynchronize_waits) {
  Stream stream;
  const Event event;
  Gate gate;
  Journal journal;
  gate.hold(stream);
  journal.write(stream, 'a');
  ASSERT_OK(cudaEventRecord(event, stream));
  std::thread opener([&] { gate.open(); });
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_EQ("a", journal.text());
  opener.join();
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventSynchronize(bad_event()));
}

using Elapsed = cudaError_t (*)(float*, cudaEvent_t, cudaEvent_t);

void check_elapsed(Elapsed elapsed) {
  Stream stream;
  const Event first;
  const Event second;
  ASSERT_OK(cudaEventRecord(first, stream));
  ASSERT_OK(cudaEventRecord(second, stream));
  ASSERT_OK(cudaStreamSynchronize(stream));
  float time = -1;
  EXPECT_OK(elapsed(&time, first, second));
  EXPECT_GE(time, 0);
  EXPECT_ERROR(cudaErrorInvalidValue, elapsed(nullptr, first, second));

  const Event untimed(cudaEventDisableTiming);
  ASSERT_OK(cudaEventRecord(untimed, stream));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, elapsed(&time, first, untimed));
  const Event unrecorded;
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, elapsed(&time, first, unrecorded));

  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaEventRecord(second, stream));
  EXPECT_EQ(cudaErrorNotReady, elapsed(&time, first, second));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
}

TEST(Events, cudaEventElapsedTime_between_events_that_were_reached) {
  check_elapsed(cudaEventElapsedTime);
}

#if CUDA_MAJOR == 12
TEST(Events, cudaEventElapsedTime_v2_between_events_that_were_reached) {
  check_elapsed(cudaEventElapsedTime_v2);
}
#endif

}  // namespace
