// What the conformance tests of events, which also run on the stand-in alone, do not say.
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

TEST_F(EventTest, RecordedOnTheLegacyStreamCoversBlockingStreams) {
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaEventRecordWithFlags(first_, nullptr, musaEventRecordDefault));
  EXPECT_EQ(musaErrorNotReady, musaEventQuery(first_));
  barrier.open();
  EXPECT_OK(musaEventSynchronize(first_));
}

TEST_F(EventTest, BadArguments) {
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventDestroy(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaEventRecordWithFlags(first_, stream_, musaEventRecordExternal));
}

}  // namespace
