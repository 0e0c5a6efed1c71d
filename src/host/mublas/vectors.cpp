// axpy, copy, swap and scal.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/context.h"
#include "src/host/mublas/scalar.h"

namespace host_mublas {
namespace {

template <typename T>
mublasStatus_t axpy(mublasHandle_t handle, int n, const T* alpha_pointer, const T* x, int incx,
                    T* y, int incy) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  if (alpha.is(T{})) return MUBLAS_STATUS_SUCCESS;
  if (!x || !y) return MUBLAS_STATUS_INVALID_POINTER;
  return start(settings, {alpha.operand(), host::vector(x, n, incx), host::vector(y, n, incy)},
               [=] { sound_axpy(n, alpha.value(), x, incx, y, incy); });
}

template <typename X, typename Y, typename Compute>
mublasStatus_t move(mublasHandle_t handle, int n, const X* x, int incx, const Y* y, int incy,
                    Compute compute) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!x || !y) return MUBLAS_STATUS_INVALID_POINTER;
  return start(context->settings(), {host::vector(x, n, incx), host::vector(y, n, incy)}, compute);
}

template <typename T>
mublasStatus_t copy(mublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {
  return move(handle, n, x, incx, y, incy, [=] { Cblas<T>::copy(n, x, incx, y, incy); });
}

template <typename T>
mublasStatus_t swap(mublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  return move(handle, n, x, incx, y, incy, [=] { Cblas<T>::swap(n, x, incx, y, incy); });
}

template <typename T, typename Alpha>
mublasStatus_t scal(mublasHandle_t handle, int n, const Alpha* alpha_pointer, T* x, int incx) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0 || incx <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !x) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<Alpha> alpha(settings, alpha_pointer);
  return start(settings, {alpha.operand(), host::vector(x, n, incx)},
               [=] { sound_scal(n, alpha.value(), x, incx); });
}

}  // namespace
}  // namespace host_mublas

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_VECTORS(letter, T, R)            \
  MUBLAS_FORWARD(7, mublas##letter##axpy, axpy) \
  MUBLAS_FORWARD(6, mublas##letter##copy, copy) \
  MUBLAS_FORWARD(6, mublas##letter##swap, swap) \
  MUBLAS_FORWARD(5, mublas##letter##scal, scal)

MUBLAS_FOR_ALL(MUBLAS_VECTORS)
MUBLAS_FORWARD(5, mublasCsscal, scal)
MUBLAS_FORWARD(5, mublasZdscal, scal)
// NOLINTEND(bugprone-macro-parentheses)
