// gemv and its batches, and gbmv.
#include <cstdint>

#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/parallel.h"
#include "src/host/mublas/product.h"

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
  double multiplications() const { return static_cast<double>(m) * n; }

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
mublasStatus_t gemv(mublasHandle_t handle, const GemvShape& shape, const T* alpha, const T* a,
                    const T* x, const T* beta, T* y) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (shape.empty()) return MUBLAS_STATUS_SUCCESS;
  return start_product(context->settings(), true, alpha, beta, shape.operands(a, x, y),
                       [=](T by, T keep) { shape.compute(by, a, x, keep, y); });
}

template <typename T>
mublasStatus_t gemv_batched(mublasHandle_t handle, const GemvShape& shape, const T* alpha,
                            const T* const* a, const T* const* x, const T* beta, T* const* y,
                            int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  return start_product(
      context->settings(), true, alpha, beta,
      {host::array(a, count), host::array(x, count), host::array(y, count),
       shape.operands<T>(nullptr, nullptr, nullptr).cost * count},
      [=](T by, T keep) {
        // With alpha 0 the matrices need not exist.
        const bool reads = by != T{};
        const auto usable = [&](int i) {
          const auto used = shape.operands(reads ? a[i] : nullptr, reads ? x[i] : nullptr, y[i]);
          return host::may_use(used.output) &&
                 (!reads || (host::may_use(used.a) && host::may_use(used.b)));
        };
        if (!all_members(count, usable)) return;
        for_each_member(count, shape.multiplications(), [&](int i) {
          shape.compute(by, reads ? a[i] : nullptr, reads ? x[i] : nullptr, keep, y[i]);
        });
      });
}

template <typename T>
mublasStatus_t gemv_strided(mublasHandle_t handle, const GemvShape& shape, const T* alpha,
                            const T* a, long long stride_a, const T* x, long long stride_x,
                            const T* beta, T* y, long long stride_y, int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  const auto [one_a, one_x, one_y, cost] = shape.operands(a, x, y);
  const ProductOperands all{host::batch(a, one_a, count, stride_a),
                            host::batch(x, one_x, count, stride_x),
                            host::batch(y, one_y, count, stride_y), cost * count};
  return start_product(context->settings(), true, alpha, beta, all, [=](T by, T keep) {
    const bool reads = by != T{};
    for_each_member(count, shape.multiplications(), [&](int i) {
      shape.compute(by, reads ? a + i * stride_a : nullptr, reads ? x + i * stride_x : nullptr,
                    keep, y + i * stride_y);
    });
  });
}

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
#define MUBLAS_GEMV(letter, T, R)                                                                  \
  mublasStatus_t mublas##letter##gemv(MUBLAS_ARGS_GEMV(T)) {                                       \
    return host_mublas::gemv(handle, {trans, m, n, lda, incx, incy}, native(alpha), native(A),     \
                             native(x), native(beta), native(y));                                  \
  }                                                                                                \
  mublasStatus_t mublas##letter##gemvBatched(MUBLAS_ARGS_GEMVBATCHED(T)) {                         \
    return host_mublas::gemv_batched(handle, {trans, m, n, lda, incx, incy}, native(alpha),        \
                                     native(Aarray), native(xarray), native(beta), native(yarray), \
                                     batchCount);                                                  \
  }                                                                                                \
  mublasStatus_t mublas##letter##gemvStridedBatched(MUBLAS_ARGS_GEMVSTRIDEDBATCHED(T)) {           \
    return host_mublas::gemv_strided(handle, {trans, m, n, lda, incx, incy}, native(alpha),        \
                                     native(A), strideA, native(x), stridex, native(beta),         \
                                     native(y), stridey, batchCount);                              \
  }                                                                                                \
  MUBLAS_FORWARD(14, mublas##letter##gbmv, gbmv)

extern "C" {

MUBLAS_FOR_ALL(MUBLAS_GEMV)

}  // extern "C"
// NOLINTEND(bugprone-macro-parentheses)
