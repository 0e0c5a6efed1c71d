// A program may exit while its streams still compute.
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "tests/host/mublas/with_handle.h"

namespace {

constexpr int kSize = 700;

// Deliberately reads memory while a stream writes it.
[[gnu::no_sanitize("thread")]] bool is_zero(const volatile float* value) { return *value == 0; }

[[noreturn]] void exit_with_work_in_flight() {
  mublasHandle_t handle = nullptr;
  float* data = nullptr;
  mublasCreate(&handle);
  musaMalloc(reinterpret_cast<void**>(&data), sizeof(float) * kSize * kSize * 3);
  musaMemset(data, 0, sizeof(float) * kSize * kSize * 3);
  float* const b = data + kSize * kSize;
  float* const c = b + kSize * kSize;
  const float one = 1, zero = 0;
  float* const last = c + kSize * kSize - 1;
  *last = 1;
  for (int i = 0; i < 50; ++i) {
    mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, kSize, kSize, kSize, &one, data, kSize, b, kSize,
                &zero, c, kSize);
  }
  while (!is_zero(last)) std::this_thread::yield();  // with beta 0, C is cleared before the product
  std::exit(0);
}

// A batch that would take hours.
[[noreturn]] void exit_with_a_batch_in_flight() {
  alarm(30);
  mublasHandle_t handle = nullptr;
  float* data = nullptr;
  mublasCreate(&handle);
  musaMalloc(reinterpret_cast<void**>(&data), sizeof(float) * kSize * kSize * 3);
  musaMemset(data, 0, sizeof(float) * kSize * kSize * 3);
  float* const b = data + kSize * kSize;
  float* const c = b + kSize * kSize;
  const float one = 1, zero = 0;
  float* const last = c + kSize * kSize - 1;
  *last = 1;
  mublasSgemmStridedBatched(handle, MUBLAS_OP_N, MUBLAS_OP_N, kSize, kSize, kSize, &one, data,
                            kSize, 0, b, kSize, 0, &zero, c, kSize, 0, 1 << 30);
  while (!is_zero(last)) std::this_thread::yield();
  std::exit(0);
}

TEST(MublasExitDeathTest, DoesNotWaitForTheRestOfABatch) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(exit_with_a_batch_in_flight(), testing::ExitedWithCode(0), "");
}

TEST(MublasExitDeathTest, DoesNotCrashInRunningWork) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (int i = 0; i < 20; ++i) {
    EXPECT_EXIT(exit_with_work_in_flight(), testing::ExitedWithCode(0), "");
  }
}

}  // namespace
