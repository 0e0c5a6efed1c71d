// How muBLAS answers wrong sizes, pointers and values.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "tests/host/mublas/with_handle.h"

namespace {

class MublasErrors : public host_tests::WithHandle {
 protected:
  mublasStatus_t gemm(int trans_a, int trans_b, int m, int n, int k, int lda, int ldb, int ldc) {
    return mublasSgemm(handle_, static_cast<mublasOperation_t>(trans_a),
                       static_cast<mublasOperation_t>(trans_b), m, n, k, &one_, data_, lda, data_,
                       ldb, &one_, data_, ldc);
  }

  mublasStatus_t gemm_with(const float* alpha, const float* a, const float* b, const float* beta,
                           float* c) {
    return mublasSgemm(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, alpha, a, 2, b, 2, beta, c, 2);
  }

  const float zero_ = 0;
  const float one_ = 1;
  float data_[16] = {};
};

TEST_F(MublasErrors, OfGemmSizes) {
  constexpr int kN = MUBLAS_OP_N, kT = MUBLAS_OP_T;
  EXPECT_EQ(gemm(kN, kN, -1, 2, 2, 2, 2, 2), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kN, kN, 2, -1, 2, 2, 2, 2), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kN, kN, 2, 2, -1, 2, 2, 2), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kN, kN, 3, 2, 2, 2, 2, 3), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kT, kN, 2, 2, 3, 2, 3, 2), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kN, kN, 2, 2, 3, 2, 2, 2), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kN, kT, 2, 3, 2, 2, 2, 2), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemm(kN, kN, 3, 2, 2, 3, 2, 2), MUBLAS_STATUS_INVALID_SIZE);
}

TEST_F(MublasErrors, OfGemmOperations) {
  EXPECT_EQ(gemm(0, MUBLAS_OP_N, 2, 2, 2, 2, 2, 2), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(MUBLAS_OP_N, 114, 2, 2, 2, 2, 2, 2), MUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(MublasErrors, OfGemmPointers) {
  EXPECT_EQ(gemm_with(nullptr, data_, data_, &one_, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemm_with(&one_, data_, data_, nullptr, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemm_with(&one_, nullptr, data_, &one_, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemm_with(&one_, data_, nullptr, &one_, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemm_with(&one_, data_, data_, &one_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemm_with(&zero_, nullptr, nullptr, &zero_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
}

TEST_F(MublasErrors, NothingToDoIsNoError) {
  EXPECT_EQ(gemm(MUBLAS_OP_N, MUBLAS_OP_N, 0, 2, 2, 0, 2, 0), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(gemm(MUBLAS_OP_N, MUBLAS_OP_N, 2, 0, 2, 2, 2, 2), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(gemm_with(&zero_, nullptr, nullptr, &one_, nullptr), MUBLAS_STATUS_SUCCESS);
}

TEST_F(MublasErrors, OfGemv) {
  const auto gemv = [&](int trans, int m, int n, int lda, int incx, int incy, const float* alpha,
                        const float* a, float* y) {
    return mublasSgemv(handle_, static_cast<mublasOperation_t>(trans), m, n, alpha, a, lda, data_,
                       incx, &one_, y, incy);
  };
  constexpr int kN = MUBLAS_OP_N;
  EXPECT_EQ(gemv(1, 2, 2, 2, 1, 1, &one_, data_, data_), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemv(kN, -1, 2, 2, 1, 1, &one_, data_, data_), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemv(kN, 2, -1, 2, 1, 1, &one_, data_, data_), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemv(kN, 3, 2, 2, 1, 1, &one_, data_, data_), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemv(kN, 2, 2, 2, 0, 1, &one_, data_, data_), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemv(kN, 2, 2, 2, 1, 0, &one_, data_, data_), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(gemv(kN, 2, 2, 2, 1, 1, nullptr, data_, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemv(kN, 2, 2, 2, 1, 1, &one_, nullptr, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemv(kN, 2, 2, 2, 1, 1, &one_, data_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(gemv(kN, 0, 2, 2, 1, 1, nullptr, nullptr, nullptr), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(gemv(kN, 2, 2, 2, 1, 1, &zero_, nullptr, nullptr), MUBLAS_STATUS_SUCCESS);
}

TEST_F(MublasErrors, OfVectorPointers) {
  EXPECT_EQ(mublasSaxpy(handle_, 2, nullptr, data_, 1, data_, 1), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSaxpy(handle_, 2, &one_, nullptr, 1, data_, 1), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSscal(handle_, 2, &one_, nullptr, 1), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSdot(handle_, 2, data_, 1, data_, 1, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSdot(handle_, 2, nullptr, 1, data_, 1, data_), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSnrm2(handle_, 2, data_, 1, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasSnrm2(handle_, 2, nullptr, 1, data_), MUBLAS_STATUS_INVALID_POINTER);
}

#ifndef __SANITIZE_ADDRESS__
// What a first product answers if that many more MiB of addresses may be used.
int first_product_within(std::size_t mebibytes) {
  constexpr int kSize = 500;
  constexpr unsigned int kHanging = 30;  // seconds
  mublasHandle_t handle = nullptr;
  void* data = nullptr;
  if (mublasCreate(&handle) != MUBLAS_STATUS_SUCCESS) return 101;
  if (musaMalloc(&data, sizeof(float) * kSize * kSize) != musaSuccess) return 102;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<std::size_t>(getpagesize()) + (mebibytes << 20);
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 103;
  alarm(kHanging);
  const float one = 1;
  auto* const numbers = static_cast<float*>(data);
  const mublasStatus_t status =
      mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, kSize, kSize, kSize, &one, numbers, kSize,
                  numbers, kSize, &one, numbers, kSize);
  return musaDeviceSynchronize() == musaSuccess ? static_cast<int>(status) : 104;
}

// OpenBLAS would ask for its buffers for ever.
TEST(MublasMemory, a_product_fails_where_the_address_space_is_too_small) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const std::size_t mebibytes : {20, 60, 100}) {
    EXPECT_EXIT(std::_Exit(first_product_within(mebibytes)),
                testing::ExitedWithCode(MUBLAS_STATUS_MEMORY_ERROR), "")
        << mebibytes;
  }
  const std::size_t enough = 256 * static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN) + 2);
  EXPECT_EXIT(std::_Exit(first_product_within(enough)),
              testing::ExitedWithCode(MUBLAS_STATUS_SUCCESS), "");
}
#endif

}  // namespace
