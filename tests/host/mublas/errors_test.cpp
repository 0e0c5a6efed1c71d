// How muBLAS answers wrong sizes, pointers and values.
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

}  // namespace
