// dot, nrm2, asum, amax and amin.
#include <cmath>

#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/results.h"

namespace host_mublas {
namespace {

template <typename T, typename Result, typename Compute>
mublasStatus_t reduce(mublasHandle_t handle, bool empty, const host::Operand& x,
                      const host::Operand& y, Result* result, Compute compute) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!result || (!empty && (!x.start || !y.start))) return MUBLAS_STATUS_INVALID_POINTER;
  const host::Operands inputs = empty ? host::Operands{} : host::Operands{x, y};
  return start_with_results(context->settings(), inputs, {host::array(result, 1)},
                            [=] { *result = empty ? Result{} : compute(); });
}

template <typename T, typename Result, typename Compute>
mublasStatus_t reduce_one(mublasHandle_t handle, int n, const T* x, int incx, Result* result,
                          Compute compute) {
  const host::Operand values = host::vector(x, n, incx);
  return reduce<T>(handle, n <= 0 || incx <= 0, values, values, result, compute);
}

template <typename T>
using Dot = T (*)(int n, const T* x, int incx, const T* y, int incy);

template <typename T>
mublasStatus_t dot(mublasHandle_t handle, Dot<T> compute, int n, const T* x, int incx, const T* y,
                   int incy, T* result) {
  return reduce<T>(handle, n <= 0, host::vector(x, n, incx), host::vector(y, n, incy), result,
                   [=] { return compute(n, x, incx, y, incy); });
}

template <typename T>
mublasStatus_t nrm2(mublasHandle_t handle, int n, const T* x, int incx, Real<T>* result) {
  return reduce_one(handle, n, x, incx, result, [=] { return Cblas<T>::nrm2(n, x, incx); });
}

template <typename T>
mublasStatus_t asum(mublasHandle_t handle, int n, const T* x, int incx, Real<T>* result) {
  return reduce_one(handle, n, x, incx, result, [=] { return Cblas<T>::asum(n, x, incx); });
}

// As BLAS measures complex numbers here: without a square root.
template <typename T>
Real<T> size_of(const T& number) {
  if constexpr (is_complex<T>) {
    return std::abs(number.real()) + std::abs(number.imag());
  } else {
    return std::abs(number);
  }
}

// The first one, counted from 1. OpenBLAS's kernels do not agree on which of equal ones and on NaN.
template <typename T, typename Better>
mublas_int first_best(int n, const T* x, int incx, Better better) {
  const Strided<const T> values(x, n, incx);
  int best = 0;
  auto size = size_of(values[0]);
  for (int i = 1; i < n; ++i) {
    if (const auto other = size_of(values[i]); better(other, size)) {
      best = i;
      size = other;
    }
  }
  return best + 1;
}

template <typename T>
mublasStatus_t amax(mublasHandle_t handle, int n, const T* x, int incx, mublas_int* result) {
  return reduce_one(handle, n, x, incx, result,
                    [=] { return first_best(n, x, incx, std::greater<>{}); });
}

template <typename T>
mublasStatus_t amin(mublasHandle_t handle, int n, const T* x, int incx, mublas_int* result) {
  return reduce_one(handle, n, x, incx, result,
                    [=] { return first_best(n, x, incx, std::less<>{}); });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_DOT(name, T, compute)                                                           \
  mublasStatus_t name(mublasHandle_t handle, mublas_int n, const T* x, mublas_int incx,        \
                      const T* y, mublas_int incy, T* result) {                                \
    return host_mublas::dot(handle, host_mublas::compute, n, native(x), incx, native(y), incy, \
                            native(result));                                                   \
  }
#define MUBLAS_REDUCTION(name, T, Result, compute)                                      \
  mublasStatus_t name(mublasHandle_t handle, mublas_int n, const T* x, mublas_int incx, \
                      Result* result) {                                                 \
    return host_mublas::compute(handle, n, native(x), incx, result);                    \
  }

extern "C" {

MUBLAS_DOT(mublasSdot, float, dotu)
MUBLAS_DOT(mublasDdot, double, dotu)
MUBLAS_DOT(mublasCdotu, muComplex, dotu)
MUBLAS_DOT(mublasZdotu, muDoubleComplex, dotu)
MUBLAS_DOT(mublasCdotc, muComplex, dotc)
MUBLAS_DOT(mublasZdotc, muDoubleComplex, dotc)

MUBLAS_REDUCTION(mublasSnrm2, float, float, nrm2)
MUBLAS_REDUCTION(mublasDnrm2, double, double, nrm2)
MUBLAS_REDUCTION(mublasScnrm2, muComplex, float, nrm2)
MUBLAS_REDUCTION(mublasDznrm2, muDoubleComplex, double, nrm2)

MUBLAS_REDUCTION(mublasSasum, float, float, asum)
MUBLAS_REDUCTION(mublasDasum, double, double, asum)
MUBLAS_REDUCTION(mublasScasum, muComplex, float, asum)
MUBLAS_REDUCTION(mublasDzasum, muDoubleComplex, double, asum)

MUBLAS_REDUCTION(mublasIsamax, float, mublas_int, amax)
MUBLAS_REDUCTION(mublasIdamax, double, mublas_int, amax)
MUBLAS_REDUCTION(mublasIcamax, muComplex, mublas_int, amax)
MUBLAS_REDUCTION(mublasIzamax, muDoubleComplex, mublas_int, amax)

MUBLAS_REDUCTION(mublasIsamin, float, mublas_int, amin)
MUBLAS_REDUCTION(mublasIdamin, double, mublas_int, amin)
MUBLAS_REDUCTION(mublasIcamin, muComplex, mublas_int, amin)
MUBLAS_REDUCTION(mublasIzamin, muDoubleComplex, mublas_int, amin)

}  // extern "C"
// NOLINTEND(bugprone-macro-parentheses)
