// Adding products of vectors to a matrix: ger, syr, her, spr, hpr, syr2, her2, spr2 and hpr2.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/context.h"
#include "src/host/mublas/scalar.h"

namespace host_mublas {
namespace {

struct UpdateOperands {
  host::Operand x, y, a;
};

template <typename Alpha, typename Compute>
mublasStatus_t update(const Settings& settings, const Alpha* alpha_pointer,
                      const UpdateOperands& operands, Compute compute) {
  if (!alpha_pointer) return MUBLAS_STATUS_INVALID_POINTER;
  const Scalar<Alpha> alpha(settings, alpha_pointer);
  if (alpha.is(Alpha{})) return MUBLAS_STATUS_SUCCESS;
  const auto& [x, y, a] = operands;
  if (!x.start || !y.start || !a.start) return MUBLAS_STATUS_INVALID_POINTER;
  return start(settings, host::cost_of({x, y, a}), {alpha.operand()}, [=] {
    const Alpha by = alpha.value();
    if (by != Alpha{} && host::may_use({operands.x, operands.y, operands.a})) compute(by);
  });
}

template <typename Alpha, typename Compute>
mublasStatus_t update_triangle(mublasHandle_t handle, mublasFillMode_t uplo, int n, bool sizes_good,
                               const Alpha* alpha, const UpdateOperands& operands,
                               Compute compute) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_triangle(uplo)) return MUBLAS_STATUS_INVALID_VALUE;
  if (n < 0 || !sizes_good) return MUBLAS_STATUS_INVALID_SIZE;
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  return update(context->settings(), alpha, operands, compute);
}

template <bool conjugated, typename T>
mublasStatus_t ger(mublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,
                   const T* y, int incy, T* a, int lda) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (m < 0 || n < 0 || lda < std::max(m, 1) || incx == 0 || incy == 0) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  return update(context->settings(), alpha,
                {host::vector(x, m, incx), host::vector(y, n, incy), host::matrix(a, m, n, lda)},
                [=](T by) {
                  const auto compute = conjugated ? Cblas<T>::gerc : Cblas<T>::geru;
                  compute(CblasColMajor, m, n, scalar(by), x, incx, y, incy, a, lda);
                });
}

// Calls `add(i, j, element)` for each element of the stored triangle. BLAS has no symmetric updates
// of complex matrices.
template <typename T, typename Add>
void for_triangle(mublasFillMode_t uplo, int n, T* a, int lda, Add add) {
  for (int j = 0; j < n; ++j) {
    T* const stored = column(a, lda, j);
    const int first = uplo == MUBLAS_FILL_MODE_UPPER ? 0 : j;
    const int end = uplo == MUBLAS_FILL_MODE_UPPER ? j + 1 : n;
    for (int i = first; i < end; ++i) add(i, j, stored[i]);
  }
}

template <typename T>
mublasStatus_t syr(mublasHandle_t handle, mublasFillMode_t uplo, int n, const T* alpha, const T* x,
                   int incx, T* a, int lda) {
  return update_triangle(
      handle, uplo, n, lda >= std::max(n, 1) && incx != 0, alpha,
      {host::vector(x, n, incx), host::vector(x, n, incx), host::matrix(a, n, n, lda)}, [=](T by) {
        if constexpr (is_complex<T>) {
          const Strided<const T> u(x, n, incx);
          for_triangle(uplo, n, a, lda, [&](int i, int j, T& sum) { sum += by * u[i] * u[j]; });
        } else {
          Cblas<T>::her(CblasColMajor, triangle(uplo), n, by, x, incx, a, lda);
        }
      });
}

template <typename T>
mublasStatus_t her(mublasHandle_t handle, mublasFillMode_t uplo, int n, const Real<T>* alpha,
                   const T* x, int incx, T* a, int lda) {
  return update_triangle(
      handle, uplo, n, lda >= std::max(n, 1) && incx != 0, alpha,
      {host::vector(x, n, incx), host::vector(x, n, incx), host::matrix(a, n, n, lda)},
      [=](Real<T> by) { Cblas<T>::her(CblasColMajor, triangle(uplo), n, by, x, incx, a, lda); });
}

template <typename T>
mublasStatus_t hpr(mublasHandle_t handle, mublasFillMode_t uplo, int n, const Real<T>* alpha,
                   const T* x, int incx, T* a) {
  return update_triangle(
      handle, uplo, n, incx != 0, alpha,
      {host::vector(x, n, incx), host::vector(x, n, incx), stored_packed(a, n)},
      [=](Real<T> by) { Cblas<T>::hpr(CblasColMajor, triangle(uplo), n, by, x, incx, a); });
}

template <typename T>
mublasStatus_t syr2(mublasHandle_t handle, mublasFillMode_t uplo, int n, const T* alpha, const T* x,
                    int incx, const T* y, int incy, T* a, int lda) {
  return update_triangle(
      handle, uplo, n, lda >= std::max(n, 1) && incx != 0 && incy != 0, alpha,
      {host::vector(x, n, incx), host::vector(y, n, incy), host::matrix(a, n, n, lda)}, [=](T by) {
        if constexpr (is_complex<T>) {
          const Strided<const T> u(x, n, incx), v(y, n, incy);
          for_triangle(uplo, n, a, lda,
                       [&](int i, int j, T& sum) { sum += by * (u[i] * v[j] + v[i] * u[j]); });
        } else {
          Cblas<T>::her2(CblasColMajor, triangle(uplo), n, by, x, incx, y, incy, a, lda);
        }
      });
}

template <typename T>
mublasStatus_t her2(mublasHandle_t handle, mublasFillMode_t uplo, int n, const T* alpha, const T* x,
                    int incx, const T* y, int incy, T* a, int lda) {
  return update_triangle(
      handle, uplo, n, lda >= std::max(n, 1) && incx != 0 && incy != 0, alpha,
      {host::vector(x, n, incx), host::vector(y, n, incy), host::matrix(a, n, n, lda)}, [=](T by) {
        Cblas<T>::her2(CblasColMajor, triangle(uplo), n, scalar(by), x, incx, y, incy, a, lda);
      });
}

template <typename T>
mublasStatus_t hpr2(mublasHandle_t handle, mublasFillMode_t uplo, int n, const T* alpha, const T* x,
                    int incx, const T* y, int incy, T* a) {
  return update_triangle(
      handle, uplo, n, incx != 0 && incy != 0, alpha,
      {host::vector(x, n, incx), host::vector(y, n, incy), stored_packed(a, n)}, [=](T by) {
        Cblas<T>::hpr2(CblasColMajor, triangle(uplo), n, scalar(by), x, incx, y, incy, a);
      });
}

}  // namespace
}  // namespace host_mublas

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_SYMMETRIC(letter, T, R)        \
  MUBLAS_FORWARD(8, mublas##letter##syr, syr) \
  MUBLAS_FORWARD(10, mublas##letter##syr2, syr2)
#define MUBLAS_REAL(letter, T, R)                     \
  MUBLAS_FORWARD(10, mublas##letter##ger, ger<false>) \
  MUBLAS_FORWARD(7, mublas##letter##spr, hpr)         \
  MUBLAS_FORWARD(9, mublas##letter##spr2, hpr2)
#define MUBLAS_HERMITIAN(letter, T, R)                 \
  MUBLAS_FORWARD(10, mublas##letter##geru, ger<false>) \
  MUBLAS_FORWARD(10, mublas##letter##gerc, ger<true>)  \
  MUBLAS_FORWARD(8, mublas##letter##her, her)          \
  MUBLAS_FORWARD(7, mublas##letter##hpr, hpr)          \
  MUBLAS_FORWARD(10, mublas##letter##her2, her2)       \
  MUBLAS_FORWARD(9, mublas##letter##hpr2, hpr2)

MUBLAS_FOR_ALL(MUBLAS_SYMMETRIC)
MUBLAS_FOR_REAL(MUBLAS_REAL)
MUBLAS_FOR_COMPLEX(MUBLAS_HERMITIAN)
// NOLINTEND(bugprone-macro-parentheses)
