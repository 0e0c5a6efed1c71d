// Short work for an idle stream is done by the caller, and keeps the order all the same.
#include <cfenv>
#include <thread>

#include "tests/host/mublas/with_handle.h"

namespace {

using host_tests::DeviceArray;
using host_tests::Roadblock;

constexpr int kSize = 4;
constexpr std::size_t kElements = 16;

class MublasShortWork : public host_tests::WithHandle {
 protected:
  // Adds kSize to each element of the sum.
  void add_product(mublasHandle_t handle) {
    constexpr float kOne = 1;
    EXPECT_EQ(mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, kSize, kSize, kSize, &kOne,
                          ones_.data(), kSize, ones_.data(), kSize, &kOne, sum_.data(), kSize),
              MUBLAS_STATUS_SUCCESS);
  }
  // As a host function of the stream. Not atomic, so nothing may run beside it.
  void add_one() {
    const auto add = [](void* sum) {
      for (int i = 0; i < static_cast<int>(kElements); ++i) static_cast<float*>(sum)[i] += 1;
    };
    EXPECT_EQ(musaLaunchHostFunc(stream_.get(), add, sum_.data()), musaSuccess);
  }
  void expect_sum(float expected) {
    EXPECT_EQ(sum_.values(), std::vector<float>(kElements, expected));
  }

  DeviceArray<float> ones_{std::vector<float>(kElements, 1.0F)};
  DeviceArray<float> sum_{std::vector<float>(kElements, 0.0F)};
};

TEST_F(MublasShortWork, IsDoneAtOnceInAnIdleStream) {
  for (int i = 1; i <= 100; ++i) {
    add_product(handle_);
    ASSERT_EQ(musaStreamQuery(stream_.get()), musaSuccess);
    ASSERT_EQ(sum_.data()[0], static_cast<float>(kSize * i));
  }
}

TEST_F(MublasShortWork, WaitsBehindEarlierWork) {
  Roadblock roadblock(stream_);
  add_product(handle_);
  EXPECT_EQ(musaStreamQuery(stream_.get()), musaErrorNotReady);
  expect_sum(0);
  roadblock.release();
  expect_sum(kSize);
}

TEST_F(MublasShortWork, OfTheLegacyStreamWaitsForBlockingStreams) {
  ASSERT_EQ(mublasSetStream(handle_, nullptr), MUBLAS_STATUS_SUCCESS);
  musaStream_t blocking = nullptr;
  ASSERT_EQ(musaStreamCreate(&blocking), musaSuccess);
  std::promise<void> released;
  const auto wait = [](void* promise) {
    static_cast<std::promise<void>*>(promise)->get_future().wait();
  };
  ASSERT_EQ(musaLaunchHostFunc(blocking, wait, &released), musaSuccess);
  add_product(handle_);
  EXPECT_EQ(sum_.data()[0], 0.0F);
  released.set_value();
  ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
  expect_sum(kSize);
  EXPECT_EQ(musaStreamDestroy(blocking), musaSuccess);
}

// As on a device, which knows nothing of the thread's settings. They stay as they are.
TEST_F(MublasShortWork, RoundsAsElsewhere) {
  constexpr float kTenth = 0.1F;
  const DeviceArray<float> tenths(std::vector<float>(kElements, kTenth));
  const auto computed = [&] {
    DeviceArray<float> result(std::vector<float>(kElements, kTenth));
    EXPECT_EQ(mublasSaxpy(handle_, kElements, &kTenth, tenths.data(), 1, result.data(), 1),
              MUBLAS_STATUS_SUCCESS);
    stream_.wait();
    return result.values();
  };
  const std::vector<float> expected = computed();
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  const std::vector<float> found = computed();
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(found, expected);
}

TEST_F(MublasShortWork, OfSeveralThreadsNeverOverlaps) {
  constexpr int kThreads = 4;
  constexpr int kTurns = 2000;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kTurns; ++i) {
        add_product(handle_);
        if (i % kThreads == thread) add_one();
        if (i % 100 == thread) stream_.wait();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  stream_.wait();
  expect_sum(kThreads * kTurns * kSize + kTurns);
}

}  // namespace
