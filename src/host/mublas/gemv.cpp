// gemv and its batches, and gbmv.
#include <cstdint>

#include "src/host/mublas/batches.h"
#include "src/host/mublas/cblas_calls.h"

namespace host_mublas {
namespace {

// What all members of a batch share.
struct GemvShape {
  mublasOperation_t trans;
  int m, n, lda, incx, incy;

  mublasStatus_t check() const {
    if (!is_operation(trans)) return MUBLAS_STATUS_INVALID_VALUE;
    if (m < 0 || n < 0 || lda < m || lda < 1 || incx == 0 || incy == 0) {
      return MUBLAS_STATUS_INVALID_SIZE;
    }
    return MUBLAS_STATUS_SUCCESS;
  }
  bool empty() const { return m == 0 || n == 0; }
  bool has_terms() const { return true; }
  template <typename T>
  bool reads_inputs(const T& alpha) const {
    return alpha != T{};
  }
  template <typename T>
  double multiplications(const T&) const {
    return static_cast<double>(m) * n;
  }

  template <typename T>
  ProductOperands operands(const T* a, const T* x, const T* y) const {
    const bool plain = trans == MUBLAS_OP_N;
    return {host::matrix(a, m, n, lda), host::vector(x, plain ? n : m, incx),
            host::vector(y, plain ? m : n, incy)};
  }

  template <typename T>
  void compute(const T& alpha, const T* a, const T* x, const T& beta, T* y) const {
    if constexpr (is_complex<T>) {
      if (trans == MUBLAS_OP_N) {
        return sound_gemv_n(m, n, alpha, a, lda, x, incx, beta, y, incy);
      }
    }
    Cblas<T>::gemv(CblasColMajor, transpose<T>(trans), m, n, scalar(alpha), a, lda, x, incx,
                   scalar(beta), y, incy);
  }
};

template <typename T>
mublasStatus_t gbmv(mublasHandle_t handle, mublasOperation_t trans, int m, int n, int kl, int ku,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_operation(trans)) return MUBLAS_STATUS_INVALID_VALUE;
  if (m < 0 || n < 0 || kl < 0 || ku < 0 || lda < std::int64_t{kl} + ku + 1 || incx == 0 ||
      incy == 0) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  // Columns beyond the band are not stored.
  const std::int64_t columns = std::min<std::int64_t>(n, std::int64_t{m} + ku);
  const std::int64_t last =
      std::min<std::int64_t>(std::int64_t{kl} + ku + 1, ku + m - (columns - 1));
  const bool plain = trans == MUBLAS_OP_N;
  const ProductOperands operands{host::matrix(a, last, columns, lda),
                                 host::vector(x, plain ? n : m, incx),
                                 host::vector(y, plain ? m : n, incy)};
  return start_product(context->settings(), true, alpha, beta, operands, [=](T by, T keep) {
    Cblas<T>::gbmv(CblasColMajor, transpose<T>(trans), m, n, kl, ku, scalar(by), a, lda, x, incx,
                   scalar(keep), y, incy);
  });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_GEMV(letter, T, R)                                                              \
  mublasStatus_t mublas##letter##gemv(MUBLAS_ARGS_GEMV(T)) {                                   \
    return host_mublas::single<host_mublas::GemvShape>(handle, {trans, m, n, lda, incx, incy}, \
                                                       native(alpha), native(A), native(x),    \
                                                       native(beta), native(y));               \
  }                                                                                            \
  mublasStatus_t mublas##letter##gemvBatched(MUBLAS_ARGS_GEMVBATCHED(T)) {                     \
    return host_mublas::batched<host_mublas::GemvShape>(                                       \
        handle, {trans, m, n, lda, incx, incy}, native(alpha), native(Aarray), native(xarray), \
        native(beta), native(yarray), batchCount);                                             \
  }                                                                                            \
  mublasStatus_t mublas##letter##gemvStridedBatched(MUBLAS_ARGS_GEMVSTRIDEDBATCHED(T)) {       \
    return host_mublas::strided<host_mublas::GemvShape>(                                       \
        handle, {trans, m, n, lda, incx, incy}, native(alpha), native(A), strideA, native(x),  \
        stridex, native(beta), native(y), stridey, batchCount);                                \
  }                                                                                            \
  MUBLAS_FORWARD(14, mublas##letter##gbmv, gbmv)

MUBLAS_FOR_ALL(MUBLAS_GEMV)
// NOLINTEND(bugprone-macro-parentheses)
