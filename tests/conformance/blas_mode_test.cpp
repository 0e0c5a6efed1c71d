// Modes of a cuBLAS handle: which are accepted, and that the handle keeps them.
#include <atomic>
#include <thread>

#include "tests/conformance/support.h"

namespace {

cublasMath_t math(int mode) { return static_cast<cublasMath_t>(mode); }

class BlasModes : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  int math_mode() const { return math_mode_of(handle_); }
  static int math_mode_of(cublasHandle_t handle) {
    cublasMath_t mode = math(77);
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetMathMode(handle, &mode));
    return mode;
  }

  cublasHandle_t handle_ = nullptr;
};

TEST_F(BlasModes, cublasGetMathMode_tells_the_default) {
  EXPECT_EQ(CUBLAS_DEFAULT_MATH, math_mode());
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetMathMode(handle_, nullptr));
  cublasMath_t mode = math(77);
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED, cublasGetMathMode(nullptr, &mode));
  EXPECT_EQ(77, mode);
}

// Default, tensor cores, exact, TF32; 16 forbids sums in less precision.
TEST_F(BlasModes, cublasSetMathMode_takes_every_mode_with_and_without_the_flag) {
  for (const int flag : {0, 16}) {
    for (const int mode : {3, 2, 1, 0}) {
      EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMathMode(handle_, math(mode | flag)));
      EXPECT_EQ(mode | flag, math_mode());
    }
  }
}

TEST_F(BlasModes, cublasSetMathMode_refuses_other_numbers) {
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMathMode(handle_, CUBLAS_TF32_TENSOR_OP_MATH));
  for (const int strange : {32, 99, 1 << 20, -1}) {
    EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSetMathMode(handle_, math(strange))) << strange;
  }
  EXPECT_EQ(CUBLAS_TF32_TENSOR_OP_MATH, math_mode());
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED, cublasSetMathMode(nullptr, CUBLAS_DEFAULT_MATH));
}

TEST_F(BlasModes, cublasSetMathMode_is_about_one_handle) {
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMathMode(handle_, CUBLAS_TF32_TENSOR_OP_MATH));
  cublasHandle_t other = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&other));
  EXPECT_EQ(CUBLAS_DEFAULT_MATH, math_mode_of(other));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMathMode(other, CUBLAS_TENSOR_OP_MATH));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(other));
  EXPECT_EQ(CUBLAS_TF32_TENSOR_OP_MATH, math_mode());
}

TEST_F(BlasModes, cublasSetMathMode_with_TF32_leaves_products_right) {
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMathMode(handle_, CUBLAS_TF32_TENSOR_OP_MATH));
  const Buffer memory(3 * sizeof(float));
  const std::vector<float> before = {3, 5, 0};
  ASSERT_OK(cudaMemcpy(memory, before.data(), 3 * sizeof(float), cudaMemcpyHostToDevice));
  auto* const data = static_cast<float*>(static_cast<void*>(memory));
  const float one = 1;
  const float zero = 0;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one,
                                                  data, 1, data + 1, 1, &zero, data + 2, 1));
  float product = 0;
  ASSERT_OK(cudaMemcpy(&product, data + 2, sizeof product, cudaMemcpyDeviceToHost));
  EXPECT_EQ(15, product);
}

TEST_F(BlasModes, cublasSetMathMode_keeps_the_modes_of_threads_apart) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&wrong, number] {
      for (int round = 0; round < 20; ++round) {
        cublasHandle_t handle = nullptr;
        cublasMath_t mode = math(77);
        const cublasMath_t set = math(number % 4 == 2 ? 0 : number % 4);
        const bool is_right = cublasCreate_v2(&handle) == CUBLAS_STATUS_SUCCESS &&
                              cublasSetMathMode(handle, set) == CUBLAS_STATUS_SUCCESS &&
                              cublasGetMathMode(handle, &mode) == CUBLAS_STATUS_SUCCESS &&
                              cublasDestroy_v2(handle) == CUBLAS_STATUS_SUCCESS && mode == set;
        if (!is_right) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
}

TEST_F(BlasModes, cublasSetAtomicsMode_is_kept) {
  cublasAtomicsMode_t told = CUBLAS_ATOMICS_ALLOWED;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetAtomicsMode(handle_, &told));
  EXPECT_EQ(CUBLAS_ATOMICS_NOT_ALLOWED, told);
  for (const auto mode : {CUBLAS_ATOMICS_ALLOWED, CUBLAS_ATOMICS_NOT_ALLOWED}) {
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetAtomicsMode(handle_, mode));
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetAtomicsMode(handle_, &told));
    EXPECT_EQ(mode, told);
  }
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSetAtomicsMode(handle_, static_cast<cublasAtomicsMode_t>(2)));
}

TEST_F(BlasModes, cublasGetAtomicsMode_wants_a_place) {
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetAtomicsMode(handle_, nullptr));
}

TEST_F(BlasModes, cublasSetSmCountTarget_is_kept) {
  int all = 0;
  ASSERT_OK(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, 0));
  for (const int count : {all, 1, 0}) {
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetSmCountTarget(handle_, count));
    int told = -1;
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetSmCountTarget(handle_, &told));
    EXPECT_EQ(count, told);
  }
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSetSmCountTarget(handle_, -1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSetSmCountTarget(handle_, all + 1));
}

TEST_F(BlasModes, cublasGetSmCountTarget_tells_the_default) {
  int told = -1;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetSmCountTarget(handle_, &told));
  EXPECT_EQ(0, told);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetSmCountTarget(handle_, nullptr));
}

}  // namespace
