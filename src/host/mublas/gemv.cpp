#include "cblas_calls.h"
#include "context.h"
#include "scalar.h"

namespace host_mublas {
namespace {

template <typename T>
mublasStatus_t gemv(mublasHandle_t handle, mublasOperation_t trans, int m, int n,
                    const T* alpha_pointer, const T* a, int lda, const T* x, int incx,
                    const T* beta_pointer, T* y, int incy) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_operation(trans)) return MUBLAS_STATUS_INVALID_VALUE;
  if (m < 0 || n < 0 || lda < m || lda < 1 || incx == 0 || incy == 0) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !beta_pointer) return MUBLAS_STATUS_INVALID_POINTER;

  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  const Scalar<T> beta(settings, beta_pointer);
  const bool reads_product = !alpha.is(T{0});
  if (!reads_product && beta.is(T{1})) return MUBLAS_STATUS_SUCCESS;
  if (!y || (reads_product && (!a || !x))) return MUBLAS_STATUS_INVALID_POINTER;

  return start(settings, [=] {
    Cblas<T>::gemv(CblasColMajor, transpose(trans), m, n, alpha.value(), a, lda, x, incx,
                   beta.value(), y, incy);
  });
}

}  // namespace
}  // namespace host_mublas

extern "C" {

mublasStatus_t mublasSgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const float* alpha, const float* A, mublas_int lda,
                           const float* x, mublas_int incx, const float* beta, float* y,
                           mublas_int incy) {
  return host_mublas::gemv(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

mublasStatus_t mublasDgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const double* alpha, const double* A, mublas_int lda,
                           const double* x, mublas_int incx, const double* beta, double* y,
                           mublas_int incy) {
  return host_mublas::gemv(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

}  // extern "C"
