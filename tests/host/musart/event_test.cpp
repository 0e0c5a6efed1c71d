#include <chrono>
#include <thread>

#include "tests/host/musart/support.h"

namespace {

class EventTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaStreamCreate(&stream_));
    ASSERT_OK(musaEventCreate(&first_));
    ASSERT_OK(musaEventCreate(&second_));
  }
  void TearDown() override {
    EXPECT_OK(musaEventDestroy(first_));
    EXPECT_OK(musaEventDestroy(second_));
    EXPECT_OK(musaStreamDestroy(stream_));
  }
  musaStream_t stream_ = nullptr;
  musaEvent_t first_ = nullptr;
  musaEvent_t second_ = nullptr;
};

TEST_F(EventTest, IsReachedWhenTheStreamIs) {
  EXPECT_OK(musaEventQuery(first_));
  EXPECT_OK(musaEventSynchronize(first_));
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaEventRecord(first_, stream_));
  EXPECT_EQ(musaErrorNotReady, musaEventQuery(first_));
  EXPECT_EQ(musaSuccess, musaPeekAtLastError());
  std::thread opener([&] { barrier.open(); });
  EXPECT_OK(musaEventSynchronize(first_));
  EXPECT_OK(musaEventQuery(first_));
  opener.join();
}

TEST_F(EventTest, TimeIsThatOfExecution) {
  ASSERT_OK(musaEventRecord(first_, stream_));
  ASSERT_OK(musaLaunchHostFunc(
      stream_, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr));
  ASSERT_OK(musaEventRecord(second_, stream_));
  float ms = -1;
  ASSERT_OK(musaEventSynchronize(second_));
  ASSERT_OK(musaEventElapsedTime(&ms, first_, second_));
  EXPECT_GE(ms, 20.0F);
  float back = 0;
  ASSERT_OK(musaEventElapsedTime(&back, second_, first_));
  EXPECT_FLOAT_EQ(-ms, back);
}

TEST_F(EventTest, TimeErrors) {
  float ms = 0;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventElapsedTime(&ms, first_, second_));
  ASSERT_OK(musaEventRecord(first_, stream_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventElapsedTime(&ms, first_, second_));
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaEventRecord(second_, stream_));
  EXPECT_EQ(musaErrorNotReady, musaEventElapsedTime(&ms, first_, second_));
  EXPECT_ERROR(musaErrorInvalidValue, musaEventElapsedTime(nullptr, first_, second_));
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream_));
  musaEvent_t untimed = nullptr;
  ASSERT_OK(musaEventCreateWithFlags(&untimed, musaEventDisableTiming));
  ASSERT_OK(musaEventRecord(untimed, stream_));
  ASSERT_OK(musaEventSynchronize(untimed));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventElapsedTime(&ms, first_, untimed));
  EXPECT_OK(musaEventDestroy(untimed));
}

TEST_F(EventTest, RecordedOnTheLegacyStreamCoversBlockingStreams) {
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaEventRecordWithFlags(first_, nullptr, musaEventRecordDefault));
  EXPECT_EQ(musaErrorNotReady, musaEventQuery(first_));
  barrier.open();
  EXPECT_OK(musaEventSynchronize(first_));
}

TEST_F(EventTest, BadArguments) {
  musaEvent_t event = nullptr;
  int nothing = 0;
  auto* const bad = reinterpret_cast<musaEvent_t>(&nothing);
  EXPECT_ERROR(musaErrorInvalidValue, musaEventCreate(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaEventCreateWithFlags(&event, 0x100));
  EXPECT_ERROR(musaErrorInvalidValue, musaEventCreateWithFlags(&event, musaEventInterprocess));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventDestroy(bad));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventDestroy(nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventRecord(bad, stream_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaEventRecord(first_, reinterpret_cast<musaStream_t>(&nothing)));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventQuery(bad));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventSynchronize(bad));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaEventRecordWithFlags(first_, stream_, musaEventRecordExternal));
  ASSERT_OK(musaEventCreate(&event));
  ASSERT_OK(musaEventDestroy(event));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventDestroy(event));
}

TEST_F(EventTest, musaEventElapsedTime_v2_is_the_same) {
  ASSERT_OK(musaEventRecord(first_, stream_));
  ASSERT_OK(musaEventRecord(second_, stream_));
  ASSERT_OK(musaEventSynchronize(second_));
  float ms = -1;
  float again = -2;
  ASSERT_OK(musaEventElapsedTime(&ms, first_, second_));
  ASSERT_OK(musaEventElapsedTime_v2(&again, first_, second_));
  EXPECT_EQ(ms, again);
  EXPECT_ERROR(musaErrorInvalidValue, musaEventElapsedTime_v2(nullptr, first_, second_));
}

}  // namespace
