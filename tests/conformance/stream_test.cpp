// Streams: creation, order, and waiting.
#include <algorithm>
#include <thread>

#include "tests/conformance/support.h"

namespace {

TEST(Streams, cudaStreamCreate_waits_for_the_legacy_stream) {
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreate(&stream));
  ASSERT_NE(nullptr, stream);
  unsigned int flags = 9;
  EXPECT_OK(cudaStreamGetFlags(stream, &flags));
  EXPECT_EQ(cudaStreamDefault, flags);
  Gate gate;
  Journal journal;
  gate.hold(nullptr);
  journal.write(stream, 'a');
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ("a", journal.text());
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
}

TEST(Streams, cudaStreamCreateWithFlags_non_blocking_ignores_the_legacy_stream) {
  Stream stream(cudaStreamNonBlocking);
  ASSERT_NE(nullptr, static_cast<cudaStream_t>(stream));
  const Buffer memory(8);
  Gate gate;
  gate.hold(nullptr);
  EXPECT_OK(cudaMemsetAsync(memory, 5, 8, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  static_cast<void>(cudaGetLastError());
  gate.open();
  cudaStream_t made = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&made, 0x40));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamCreateWithFlags(nullptr, 0));
}

TEST(Streams, cudaStreamCreateWithPriority_at_both_ends_and_beyond) {
  int least = 0;
  int greatest = 0;
  ASSERT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  for (const int wanted : {least, greatest, greatest - 50, least + 50}) {
    cudaStream_t stream = nullptr;
    ASSERT_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, wanted));
    int priority = 99;
    EXPECT_OK(cudaStreamGetPriority(stream, &priority));
    EXPECT_EQ(std::min(least, std::max(greatest, wanted)), priority);
    EXPECT_OK(cudaStreamDestroy(stream));
  }
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamCreateWithPriority(nullptr, 0, 0));
}

TEST(Streams, cudaStreamDestroy_lets_work_finish) {
  cudaStream_t stream = nullptr;
  Gate gate;
  Journal journal;
  ASSERT_OK(cudaStreamCreate(&stream));
  gate.hold(stream);
  journal.write(stream, 'a');
  EXPECT_OK(cudaStreamDestroy(stream));
  gate.open();
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ("a", journal.text());
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
}

TEST(Streams, cudaStreamQuery_tells_whether_work_is_left) {
  Stream stream;
  EXPECT_OK(cudaStreamQuery(stream));
  Gate gate;
  gate.hold(stream);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_OK(cudaStreamQuery(stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamQuery(bad_stream()));
}

TEST(Streams, cudaStreamSynchronize_waits_for_all_that_came_before) {
  Stream stream;
  Gate gate;
  Journal journal;
  gate.hold(stream);
  for (const char letter : std::string("abcdefgh")) journal.write(stream, letter);
  EXPECT_EQ("", journal.text());
  std::thread opener([&] { gate.open(); });
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ("abcdefgh", journal.text());
  opener.join();
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(bad_stream()));
}

TEST(Streams, cudaStreamSynchronize_of_the_default_streams) {
  Stream stream;
  Gate gate;
  Journal journal;
  gate.hold(stream);
  journal.write(cudaStreamLegacy, 'a');
  EXPECT_EQ("", journal.text());
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(nullptr));
  EXPECT_EQ("a", journal.text());
  journal.write(cudaStreamPerThread, 'b');
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ("ab", journal.text());
}

TEST(Streams, cudaStreamWaitEvent_waits_for_another_stream) {
  Stream first;
  Stream second;
  const Event event;
  Gate gate;
  Journal journal;
  gate.hold(first);
  journal.write(first, 'a');
  ASSERT_OK(cudaEventRecord(event, first));
  ASSERT_OK(cudaStreamWaitEvent(second, event, 0));
  journal.write(second, 'b');
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(second));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(second));
  EXPECT_EQ("ab", journal.text());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamWaitEvent(second, event, 0x40));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(second, bad_event(), 0));
}

TEST(Streams, cudaStreamWaitEvent_waits_for_what_the_event_marked_when_it_was_called) {
  Stream first;
  Stream second;
  Stream idle;
  cudaEvent_t event = nullptr;
  ASSERT_OK(cudaEventCreate(&event));
  Gate gate;
  Journal journal;
  gate.hold(first);
  journal.write(first, 'a');
  ASSERT_OK(cudaEventRecord(event, first));
  ASSERT_OK(cudaStreamWaitEvent(second, event, 0));
  journal.write(second, 'b');
  EXPECT_OK(cudaEventRecord(event, idle));
  EXPECT_OK(cudaStreamSynchronize(idle));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(second));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(second));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(second));
  EXPECT_EQ("ab", journal.text());
}

TEST(Streams, cudaStreamWaitEvent_of_an_event_never_recorded_waits_for_nothing) {
  Stream stream;
  const Event event;
  EXPECT_OK(cudaStreamWaitEvent(stream, event, 0));
  EXPECT_OK(cudaStreamSynchronize(stream));
}

TEST(Streams, cudaStreamGetPriority_is_that_of_creation) {
  int least = 0;
  int greatest = 0;
  ASSERT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreateWithPriority(&stream, 0, greatest));
  int priority = 99;
  EXPECT_OK(cudaStreamGetPriority(stream, &priority));
  EXPECT_EQ(greatest, priority);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamGetPriority(stream, nullptr));
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamGetPriority(bad_stream(), &priority));
}

TEST(Streams, cudaStreamGetFlags_are_those_of_creation) {
  Stream stream(cudaStreamNonBlocking);
  unsigned int flags = 9;
  EXPECT_OK(cudaStreamGetFlags(stream, &flags));
  EXPECT_EQ(cudaStreamNonBlocking, flags);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamGetFlags(stream, nullptr));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamGetFlags(bad_stream(), &flags));
}

#if CUDA_MAJOR >= 12
TEST(Streams, cudaStreamGetId_is_of_one_stream_alone) {
  Stream first;
  Stream second;
  unsigned long long one = 0;
  unsigned long long other = 0;
  unsigned long long again = 0;
  EXPECT_OK(cudaStreamGetId(first, &one));
  EXPECT_OK(cudaStreamGetId(second, &other));
  EXPECT_OK(cudaStreamGetId(first, &again));
  EXPECT_NE(one, other);
  EXPECT_EQ(one, again);
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamGetId(bad_stream(), &one));
}
#endif

#if CUDA_MAJOR >= 13
TEST(Streams, cudaStreamGetDevice_is_where_it_was_made) {
  ASSERT_OK(cudaSetDevice(1));
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreate(&stream));
  ASSERT_OK(cudaSetDevice(0));
  int device = -1;
  EXPECT_OK(cudaStreamGetDevice(stream, &device));
  EXPECT_EQ(1, device);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamGetDevice(bad_stream(), &device));
}
#endif

}  // namespace
