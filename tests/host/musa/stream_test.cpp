#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/host/musa/support.h"

namespace {

class DriverStream : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_MU(muStreamCreate(&stream_, MU_STREAM_NON_BLOCKING));
  }
  void TearDown() override {
    open_ = true;
    EXPECT_MU(muStreamDestroy_v2(stream_));
    DriverTest::TearDown();
  }
  // Holds the stream up until open_ is set.
  void hold() {
    open_ = false;
    EXPECT_MU(muLaunchHostFunc(
        stream_,
        [](void* gate) {
          while (!*static_cast<std::atomic<bool>*>(gate)) std::this_thread::yield();
        },
        &open_));
  }

  MUstream stream_ = nullptr;
  std::atomic<bool> open_{true};
};

TEST_F(DriverStream, muStreamCreate_and_muStreamDestroy_v2) {
  MUstream stream = nullptr;
  EXPECT_MU(muStreamCreate(&stream, MU_STREAM_DEFAULT));
  EXPECT_NE(stream, nullptr);
  EXPECT_EQ(musaStreamSynchronize(stream), musaSuccess) << "a handle serves both";
  EXPECT_MU(muStreamDestroy_v2(stream));
  EXPECT_EQ(muStreamDestroy_v2(stream), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muStreamCreate(&stream, 2), MUSA_ERROR_INVALID_VALUE);
  ASSERT_MU(muCtxSetCurrent(nullptr));
  EXPECT_EQ(muStreamCreate(&stream, 0), MUSA_ERROR_INVALID_CONTEXT);
  ASSERT_MU(muCtxSetCurrent(context_));
}

TEST_F(DriverStream, muStreamCreateWithPriority_muStreamGetPriority_muStreamGetFlags) {
  MUstream stream = nullptr;
  EXPECT_MU(muStreamCreateWithPriority(&stream, MU_STREAM_NON_BLOCKING, -1));
  int priority = 7;
  EXPECT_MU(muStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, -1);
  unsigned int flags = 7;
  EXPECT_MU(muStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, static_cast<unsigned int>(MU_STREAM_NON_BLOCKING));
  EXPECT_MU(muStreamDestroy_v2(stream));
  EXPECT_EQ(muStreamGetPriority(stream, &priority), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muStreamGetFlags(stream, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverStream, muStreamGetCtx_is_that_of_its_device) {
  MUcontext context = nullptr;
  EXPECT_MU(muStreamGetCtx(stream_, &context));
  EXPECT_EQ(context, context_);
  EXPECT_EQ(muStreamGetCtx(reinterpret_cast<MUstream>(&context), &context),
            MUSA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverStream, muStreamQuery_muStreamSynchronize_muLaunchHostFunc) {
  hold();
  EXPECT_EQ(muStreamQuery(stream_), MUSA_ERROR_NOT_READY);
  bool done = false;
  EXPECT_MU(muLaunchHostFunc(
      stream_, [](void* flag) { *static_cast<bool*>(flag) = true; }, &done));
  open_ = true;
  EXPECT_MU(muStreamSynchronize(stream_));
  EXPECT_TRUE(done);
  EXPECT_MU(muStreamQuery(stream_));
  EXPECT_EQ(muLaunchHostFunc(stream_, nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverStream, muStreamAddCallback_and_muStreamAttachMemAsync) {
  MUresult status = MUSA_ERROR_UNKNOWN;
  EXPECT_MU(muStreamAddCallback(
      stream_, [](MUstream, MUresult result, void* out) { *static_cast<MUresult*>(out) = result; },
      &status, 0));
  EXPECT_MU(muStreamSynchronize(stream_));
  EXPECT_EQ(status, MUSA_SUCCESS);
  EXPECT_EQ(muStreamAddCallback(stream_, nullptr, nullptr, 0), MUSA_ERROR_INVALID_VALUE);
  MUdeviceptr managed = 0;
  ASSERT_MU(muMemAllocManaged(&managed, 100, MU_MEM_ATTACH_HOST));
  EXPECT_MU(muStreamAttachMemAsync(stream_, managed, 0, MU_MEM_ATTACH_SINGLE));
  EXPECT_EQ(muStreamAttachMemAsync(stream_, managed, 0, 64), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(managed));
}

TEST_F(DriverStream,
       muEventCreate_muEventRecord_muEventQuery_muEventSynchronize_muEventDestroy_v2) {
  MUevent event = nullptr;
  EXPECT_MU(muEventCreate(&event, MU_EVENT_DISABLE_TIMING));
  EXPECT_MU(muEventQuery(event));
  hold();
  EXPECT_MU(muEventRecord(event, stream_));
  EXPECT_EQ(muEventQuery(event), MUSA_ERROR_NOT_READY);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    open_ = true;
  });
  EXPECT_MU(muEventSynchronize(event));
  EXPECT_TRUE(open_);
  opener.join();
  EXPECT_MU(muEventQuery(event));
  EXPECT_MU(muEventDestroy_v2(event));
  EXPECT_EQ(muEventDestroy_v2(event), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muEventSynchronize(event), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muEventCreate(&event, 64), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverStream, muEventRecordWithFlags_and_muStreamWaitEvent) {
  MUevent event = nullptr;
  ASSERT_MU(muEventCreate(&event, MU_EVENT_DISABLE_TIMING));
  hold();
  EXPECT_MU(muEventRecordWithFlags(event, stream_, MU_EVENT_RECORD_DEFAULT));
  MUstream other = nullptr;
  ASSERT_MU(muStreamCreate(&other, MU_STREAM_NON_BLOCKING));
  EXPECT_MU(muStreamWaitEvent(other, event, MU_EVENT_WAIT_DEFAULT));
  EXPECT_EQ(muStreamQuery(other), MUSA_ERROR_NOT_READY);
  open_ = true;
  EXPECT_MU(muStreamSynchronize(other));
  EXPECT_MU(muStreamDestroy_v2(other));
  EXPECT_EQ(muEventRecordWithFlags(event, stream_, 9), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamWaitEvent(stream_, event, 9), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muEventDestroy_v2(event));
}

TEST_F(DriverStream, muStreamWriteValue32_waits_for_the_work_before_it) {
  MUdeviceptr words = 0;
  ASSERT_MU(muMemAlloc_v2(&words, 12));
  EXPECT_MU(muMemsetD32_v2(words, 5, 3));
  const auto read = [&] {
    std::array<unsigned, 3> all{};
    MUstream other = nullptr;
    EXPECT_MU(muStreamCreate(&other, MU_STREAM_NON_BLOCKING));
    EXPECT_MU(muMemcpyDtoHAsync_v2(all.data(), words, sizeof(all), other));
    EXPECT_MU(muStreamSynchronize(other));
    EXPECT_MU(muStreamDestroy_v2(other));
    return all;
  };
  hold();
  EXPECT_MU(muStreamWriteValue32(stream_, words + 4, 0x87654321, MU_STREAM_WRITE_VALUE_DEFAULT));
  EXPECT_EQ(read(), (std::array<unsigned, 3>{5, 5, 5}));
  open_ = true;
  EXPECT_MU(muStreamSynchronize(stream_));
  EXPECT_EQ(read(), (std::array<unsigned, 3>{5, 0x87654321, 5}));
  EXPECT_MU(muStreamWriteValue32(stream_, words, 1, MU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  EXPECT_MU(muStreamSynchronize(stream_));
  EXPECT_EQ(read(), (std::array<unsigned, 3>{1, 0x87654321, 5}));
  EXPECT_EQ(muStreamWriteValue32(stream_, words, 1, 2), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamWriteValue32(stream_, words + 1, 1, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamWriteValue32(stream_, words + 12, 1, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(words));
}

TEST_F(DriverStream, muEventElapsedTime_measures) {
  MUevent start = nullptr;
  MUevent end = nullptr;
  ASSERT_MU(muEventCreate(&start, MU_EVENT_DEFAULT));
  ASSERT_MU(muEventCreate(&end, MU_EVENT_DEFAULT));
  ASSERT_MU(muEventRecord(start, stream_));
  ASSERT_MU(muLaunchHostFunc(
      stream_, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }, nullptr));
  ASSERT_MU(muEventRecord(end, stream_));
  ASSERT_MU(muEventSynchronize(end));
  float elapsed = 0;
  EXPECT_MU(muEventElapsedTime(&elapsed, start, end));
  EXPECT_GE(elapsed, 5.0F);
  EXPECT_EQ(muEventElapsedTime(nullptr, start, end), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muEventDestroy_v2(start));
  EXPECT_MU(muEventDestroy_v2(end));
}

TEST_F(DriverStream, muStreamSetAttribute_muStreamGetAttribute_muStreamCopyAttributes) {
  MUstreamAttrValue value{};
  value.syncPolicy = MU_SYNC_POLICY_YIELD;
  EXPECT_MU(muStreamSetAttribute(stream_, MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  value = {};
  EXPECT_MU(muStreamGetAttribute(stream_, MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_EQ(value.syncPolicy, MU_SYNC_POLICY_YIELD);
  MUstream other = nullptr;
  ASSERT_MU(muStreamCreate(&other, 0));
  EXPECT_MU(muStreamCopyAttributes(other, stream_));
  value = {};
  EXPECT_MU(muStreamGetAttribute(other, MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_EQ(value.syncPolicy, MU_SYNC_POLICY_YIELD);
  EXPECT_MU(muStreamDestroy_v2(other));
  EXPECT_EQ(muStreamCopyAttributes(other, stream_), MUSA_ERROR_INVALID_HANDLE);
  const auto priority = static_cast<MUstreamAttrID>(8);
  EXPECT_EQ(muStreamGetAttribute(stream_, priority, &value), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muStreamSetAttribute(stream_, priority, &value), MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
