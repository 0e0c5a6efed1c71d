// Products of a symmetric or Hermitian matrix and a vector: symv, hemv, sbmv, hbmv, spmv and hpmv.
#include <cstdint>

#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/product.h"

namespace host_mublas {
namespace {

// What the three storage formats have in common.
template <typename T, typename Compute>
mublasStatus_t product(mublasHandle_t handle, mublasFillMode_t uplo, int n, bool sizes_good,
                       const T* alpha, const host::Operand& a, const T* x, int incx, const T* beta,
                       T* y, int incy, Compute compute) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_triangle(uplo)) return MUBLAS_STATUS_INVALID_VALUE;
  if (n < 0 || !sizes_good || incx == 0 || incy == 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  return start_product(context->settings(), true, alpha, beta,
                       {a, host::vector(x, n, incx), host::vector(y, n, incy)}, compute);
}

template <bool hermitian, typename T>
mublasStatus_t symv(mublasHandle_t handle, mublasFillMode_t uplo, int n, const T* alpha, const T* a,
                    int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  return product(handle, uplo, n, lda >= std::max(n, 1), alpha, host::matrix(a, n, n, lda), x, incx,
                 beta, y, incy, [=](T by, T keep) {
                   sound_symv(hermitian, triangle(uplo), n, by, a, lda, x, incx, keep, y, incy);
                 });
}

template <typename T>
mublasStatus_t hbmv(mublasHandle_t handle, mublasFillMode_t uplo, int n, int k, const T* alpha,
                    const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  return product(handle, uplo, n, k >= 0 && lda > k, alpha, stored_band(uplo, a, n, k, lda), x,
                 incx, beta, y, incy, [=](T by, T keep) {
                   Cblas<T>::hbmv(CblasColMajor, triangle(uplo), n, k, scalar(by), a, lda, x, incx,
                                  scalar(keep), y, incy);
                 });
}

template <typename T>
mublasStatus_t hpmv(mublasHandle_t handle, mublasFillMode_t uplo, int n, const T* alpha, const T* a,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  return product(handle, uplo, n, true, alpha, stored_packed(a, n), x, incx, beta, y, incy,
                 [=](T by, T keep) {
                   Cblas<T>::hpmv(CblasColMajor, triangle(uplo), n, scalar(by), a, x, incx,
                                  scalar(keep), y, incy);
                 });
}

}  // namespace
}  // namespace host_mublas

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_SYMMETRIC(letter, T, R)                  \
  MUBLAS_FORWARD(11, mublas##letter##symv, symv<false>) \
  MUBLAS_FORWARD(12, mublas##letter##sbmv, hbmv)        \
  MUBLAS_FORWARD(10, mublas##letter##spmv, hpmv)
#define MUBLAS_HERMITIAN(letter, T, R)                  \
  MUBLAS_FORWARD(11, mublas##letter##symv, symv<false>) \
  MUBLAS_FORWARD(11, mublas##letter##hemv, symv<true>)  \
  MUBLAS_FORWARD(12, mublas##letter##hbmv, hbmv)        \
  MUBLAS_FORWARD(10, mublas##letter##hpmv, hpmv)

MUBLAS_FOR_REAL(MUBLAS_SYMMETRIC)
MUBLAS_FOR_COMPLEX(MUBLAS_HERMITIAN)
// NOLINTEND(bugprone-macro-parentheses)
