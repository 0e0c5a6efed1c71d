#include <algorithm>

#include "cblas_calls.h"
#include "context.h"
#include "scalar.h"

namespace host_mublas {
namespace {

template <typename T>
mublasStatus_t gemm(mublasHandle_t handle, mublasOperation_t trans_a, mublasOperation_t trans_b,
                    int m, int n, int k, const T* alpha_pointer, const T* a, int lda, const T* b,
                    int ldb, const T* beta_pointer, T* c, int ldc) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_operation(trans_a) || !is_operation(trans_b)) return MUBLAS_STATUS_INVALID_VALUE;
  const int rows_a = trans_a == MUBLAS_OP_N ? m : k;
  const int rows_b = trans_b == MUBLAS_OP_N ? k : n;
  if (m < 0 || n < 0 || k < 0 || lda < rows_a || ldb < rows_b || ldc < m) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!beta_pointer || (!alpha_pointer && k != 0)) return MUBLAS_STATUS_INVALID_POINTER;

  const Settings settings = context->settings();
  const T zero{};
  const Scalar<T> alpha =
      k == 0 ? Scalar<T>(Settings{}, &zero) : Scalar<T>(settings, alpha_pointer);
  const Scalar<T> beta(settings, beta_pointer);
  const bool reads_product = k != 0 && !alpha.is(T{0});
  if (!reads_product && beta.is(T{1})) return MUBLAS_STATUS_SUCCESS;
  if (!c || (reads_product && (!a || !b))) return MUBLAS_STATUS_INVALID_POINTER;

  return start(settings, [=] {
    // With alpha 0 neither A nor B may be read: they may be null or hold NaN.
    const int depth = alpha.value() == T{0} ? 0 : k;
    Cblas<T>::gemm(CblasColMajor, transpose(trans_a), transpose(trans_b), m, n, depth,
                   alpha.value(), a, std::max(lda, 1), b, std::max(ldb, 1), beta.value(), c, ldc);
  });
}

}  // namespace
}  // namespace host_mublas

extern "C" {

mublasStatus_t mublasSgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const float* alpha, const float* A, mublas_int lda, const float* B,
                           mublas_int ldb, const float* beta, float* C, mublas_int ldc) {
  return host_mublas::gemm(handle, transA, transB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

mublasStatus_t mublasDgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const double* alpha, const double* A, mublas_int lda, const double* B,
                           mublas_int ldb, const double* beta, double* C, mublas_int ldc) {
  return host_mublas::gemm(handle, transA, transB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

}  // extern "C"
