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
mublasStatus_t dot_unconjugated(mublasHandle_t handle, int n, const T* x, int incx, const T* y,
                                int incy, T* result) {
  return reduce<T>(handle, n <= 0, host::vector(x, n, incx), host::vector(y, n, incy), result,
                   [=] { return dotu(n, x, incx, y, incy); });
}

template <typename T>
mublasStatus_t dot_conjugated(mublasHandle_t handle, int n, const T* x, int incx, const T* y,
                              int incy, T* result) {
  return reduce<T>(handle, n <= 0, host::vector(x, n, incx), host::vector(y, n, incy), result,
                   [=] { return dotc(n, x, incx, y, incy); });
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

MUBLAS_FORWARD(7, mublasSdot, dot_unconjugated)
MUBLAS_FORWARD(7, mublasDdot, dot_unconjugated)
MUBLAS_FORWARD(7, mublasCdotu, dot_unconjugated)
MUBLAS_FORWARD(7, mublasZdotu, dot_unconjugated)
MUBLAS_FORWARD(7, mublasCdotc, dot_conjugated)
MUBLAS_FORWARD(7, mublasZdotc, dot_conjugated)

MUBLAS_FORWARD(5, mublasSnrm2, nrm2)
MUBLAS_FORWARD(5, mublasDnrm2, nrm2)
MUBLAS_FORWARD(5, mublasScnrm2, nrm2)
MUBLAS_FORWARD(5, mublasDznrm2, nrm2)

MUBLAS_FORWARD(5, mublasSasum, asum)
MUBLAS_FORWARD(5, mublasDasum, asum)
MUBLAS_FORWARD(5, mublasScasum, asum)
MUBLAS_FORWARD(5, mublasDzasum, asum)

MUBLAS_FORWARD(5, mublasIsamax, amax)
MUBLAS_FORWARD(5, mublasIdamax, amax)
MUBLAS_FORWARD(5, mublasIcamax, amax)
MUBLAS_FORWARD(5, mublasIzamax, amax)

MUBLAS_FORWARD(5, mublasIsamin, amin)
MUBLAS_FORWARD(5, mublasIdamin, amin)
MUBLAS_FORWARD(5, mublasIcamin, amin)
MUBLAS_FORWARD(5, mublasIzamin, amin)
