// Streams and events.
#include <thread>

#include "tests/host/musart/each_function.h"

namespace {

template <typename Make>
void expect_stream(Make&& make, unsigned int flags, int priority) {
  musaStream_t stream = nullptr;
  ASSERT_OK(make(&stream));
  ASSERT_NE(nullptr, stream);
  unsigned int found_flags = 99;
  int found_priority = 99;
  EXPECT_OK(musaStreamGetFlags(stream, &found_flags));
  EXPECT_OK(musaStreamGetPriority(stream, &found_priority));
  EXPECT_EQ(flags, found_flags);
  EXPECT_EQ(priority, found_priority);
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_ERROR(musaErrorInvalidValue, make(nullptr));
}

template <typename Check>
void with_held_stream(Check&& check) {
  musaStream_t stream = nullptr;
  musaEvent_t event = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  ASSERT_OK(musaEventCreate(&event));
  {
    Barrier barrier;
    barrier.hold(stream);
    check(stream, event, barrier);
  }
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_OK(musaEventDestroy(event));
}

INSTANTIATE_TEST_SUITE_P(
    Streams, EachFunction,
    ::testing::Values(
        Case{"musaStreamCreate",
             [] { expect_stream([](musaStream_t* s) { return musaStreamCreate(s); }, 0, 0); }},
        Case{"musaStreamCreateWithFlags",
             [] {
               expect_stream([](musaStream_t* s) { return musaStreamCreateWithFlags(s, 1); }, 1, 0);
             }},
        Case{"musaStreamCreateWithPriority",
             [] {
               expect_stream([](musaStream_t* s) { return musaStreamCreateWithPriority(s, 1, -1); },
                             1, -1);
             }},
        Case{"musaStreamDestroy",
             [] {
               musaStream_t stream = nullptr;
               ASSERT_OK(musaStreamCreate(&stream));
               EXPECT_OK(musaStreamDestroy(stream));
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(stream));
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(nullptr));
             }},
        Case{"musaStreamQuery",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t, Barrier&) {
                 EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamQuery(kBadStream));
             }},
        Case{"musaStreamSynchronize",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t, Barrier& barrier) {
                 std::atomic<bool> flag{false};
                 ASSERT_OK(musaLaunchHostFunc(stream, set_flag, &flag));
                 std::thread opener([&] { barrier.open(); });
                 EXPECT_OK(musaStreamSynchronize(stream));
                 EXPECT_TRUE(flag);
                 opener.join();
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamSynchronize(kBadStream));
             }},
        Case{"musaDeviceSynchronize",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t, Barrier& barrier) {
                 std::atomic<bool> flag{false};
                 ASSERT_OK(musaLaunchHostFunc(stream, set_flag, &flag));
                 std::thread opener([&] {
                   std::this_thread::sleep_for(std::chrono::milliseconds(5));
                   barrier.open();
                 });
                 EXPECT_OK(musaDeviceSynchronize());
                 EXPECT_TRUE(flag);
                 opener.join();
                 ASSERT_OK(musaStreamSynchronize(stream));
               });
             }},
        Case{"musaStreamWaitEvent",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier& barrier) {
                 musaStream_t waiting = nullptr;
                 ASSERT_OK(musaStreamCreateWithFlags(&waiting, musaStreamNonBlocking));
                 ASSERT_OK(musaEventRecord(event, stream));
                 EXPECT_OK(musaStreamWaitEvent(waiting, event));
                 EXPECT_EQ(musaErrorNotReady, musaStreamQuery(waiting));
                 barrier.open();
                 EXPECT_OK(musaStreamSynchronize(waiting));
                 EXPECT_ERROR(musaErrorInvalidResourceHandle,
                              musaStreamWaitEvent(waiting, kBadEvent));
                 EXPECT_OK(musaStreamDestroy(waiting));
               });
             }},
        Case{"musaStreamGetFlags",
             [] {
               unsigned int flags = 99;
               EXPECT_OK(musaStreamGetFlags(nullptr, &flags));
               EXPECT_EQ(0u, flags);
               EXPECT_ERROR(musaErrorInvalidValue, musaStreamGetFlags(nullptr, nullptr));
             }},
        Case{"musaStreamGetPriority",
             [] {
               int priority = 99;
               EXPECT_OK(musaStreamGetPriority(nullptr, &priority));
               EXPECT_EQ(0, priority);
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaStreamGetPriority(kBadStream, &priority));
             }},
        Case{"musaStreamGetId",
             [] {
               unsigned long long id = 0;
               EXPECT_OK(musaStreamGetId(nullptr, &id));
               EXPECT_EQ(1u, id);
             }},
        Case{"musaStreamGetDevice",
             [] {
               int device = 99;
               EXPECT_OK(musaStreamGetDevice(nullptr, &device));
               EXPECT_EQ(0, device);
             }},
        Case{"musaDeviceGetStreamPriorityRange",
             [] {
               int least = 99;
               int greatest = 99;
               EXPECT_OK(musaDeviceGetStreamPriorityRange(&least, &greatest));
               EXPECT_EQ(0, least);
               EXPECT_EQ(-1, greatest);
             }},
        Case{"musaLaunchHostFunc",
             [] {
               std::atomic<bool> flag{false};
               EXPECT_OK(musaLaunchHostFunc(nullptr, set_flag, &flag));
               EXPECT_OK(musaStreamSynchronize(nullptr));
               EXPECT_TRUE(flag);
               EXPECT_ERROR(musaErrorInvalidValue, musaLaunchHostFunc(nullptr, nullptr, nullptr));
             }},
        Case{"musaStreamAddCallback",
             [] {
               std::atomic<bool> flag{false};
               EXPECT_OK(musaStreamAddCallback(
                   nullptr, [](musaStream_t, musaError_t, void* data) { set_flag(data); }, &flag,
                   0));
               EXPECT_OK(musaStreamSynchronize(nullptr));
               EXPECT_TRUE(flag);
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaStreamAddCallback(nullptr, nullptr, nullptr, 0));
             }},
        Case{"musaStreamAttachMemAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaStreamAttachMemAsync(nullptr, pair.to, 0, musaMemAttachGlobal));
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaStreamAttachMemAsync(nullptr, &nothing, 0, musaMemAttachGlobal));
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Events, EachFunction,
    ::testing::Values(
        Case{"musaEventCreate",
             [] {
               musaEvent_t event = nullptr;
               ASSERT_OK(musaEventCreate(&event));
               ASSERT_NE(nullptr, event);
               EXPECT_OK(musaEventDestroy(event));
               EXPECT_ERROR(musaErrorInvalidValue, musaEventCreate(nullptr));
             }},
        Case{"musaEventCreateWithFlags",
             [] {
               musaEvent_t event = nullptr;
               ASSERT_OK(musaEventCreateWithFlags(&event, musaEventBlockingSync));
               ASSERT_NE(nullptr, event);
               EXPECT_OK(musaEventDestroy(event));
               EXPECT_ERROR(musaErrorInvalidValue, musaEventCreateWithFlags(&event, 0x80));
             }},
        Case{"musaEventDestroy",
             [] {
               musaEvent_t event = nullptr;
               ASSERT_OK(musaEventCreate(&event));
               EXPECT_OK(musaEventDestroy(event));
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventDestroy(event));
             }},
        Case{"musaEventRecord",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier&) {
                 EXPECT_OK(musaEventRecord(event, stream));
                 EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventRecord(kBadEvent));
             }},
        Case{"musaEventRecordWithFlags",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier&) {
                 EXPECT_OK(musaEventRecordWithFlags(event, stream, musaEventRecordDefault));
                 EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventRecordWithFlags(kBadEvent));
             }},
        Case{"musaEventQuery",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier&) {
                 EXPECT_OK(musaEventQuery(event));
                 ASSERT_OK(musaEventRecord(event, stream));
                 EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventQuery(kBadEvent));
             }},
        Case{"musaEventSynchronize",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier& barrier) {
                 std::atomic<bool> flag{false};
                 ASSERT_OK(musaLaunchHostFunc(stream, set_flag, &flag));
                 ASSERT_OK(musaEventRecord(event, stream));
                 std::thread opener([&] { barrier.open(); });
                 EXPECT_OK(musaEventSynchronize(event));
                 EXPECT_TRUE(flag);
                 opener.join();
                 ASSERT_OK(musaStreamSynchronize(stream));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventSynchronize(kBadEvent));
             }},
        Case{"musaEventElapsedTime",
             [] {
               float ms = 0;
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaEventElapsedTime(&ms, kBadEvent, kBadEvent));
             }}),
    name_of);

}  // namespace
