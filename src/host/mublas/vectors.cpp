// axpy, scal, dot and nrm2.
#include "cblas_calls.h"
#include "context.h"
#include "scalar.h"

namespace host_mublas {
namespace {

// A result for the host is there when the call returns; one for the device comes with the stream.
template <typename T, typename Compute>
mublasStatus_t reduce(const Settings& settings, T* result, Compute compute) {
  const auto status = start(settings, [=] { *result = compute(); });
  if (status != MUBLAS_STATUS_SUCCESS || !settings.scalars_on_host()) return status;
  return musaStreamSynchronize(settings.stream) == musaSuccess ? MUBLAS_STATUS_SUCCESS
                                                               : MUBLAS_STATUS_INTERNAL_ERROR;
}

template <typename T>
mublasStatus_t axpy(mublasHandle_t handle, int n, const T* alpha_pointer, const T* x, int incx,
                    T* y, int incy) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  if (alpha.is(T{0})) return MUBLAS_STATUS_SUCCESS;
  if (!x || !y) return MUBLAS_STATUS_INVALID_POINTER;
  return start(settings, [=] { Cblas<T>::axpy(n, alpha.value(), x, incx, y, incy); });
}

template <typename T>
mublasStatus_t scal(mublasHandle_t handle, int n, const T* alpha_pointer, T* x, int incx) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0 || incx <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !x) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  return start(settings, [=] { Cblas<T>::scal(n, alpha.value(), x, incx); });
}

template <typename T>
mublasStatus_t dot(mublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,
                   T* result) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!result || (n > 0 && (!x || !y))) return MUBLAS_STATUS_INVALID_POINTER;
  return reduce(context->settings(), result,
                [=] { return n > 0 ? Cblas<T>::dot(n, x, incx, y, incy) : T{0}; });
}

template <typename T>
mublasStatus_t nrm2(mublasHandle_t handle, int n, const T* x, int incx, T* result) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  const bool empty = n <= 0 || incx <= 0;
  if (!result || (!empty && !x)) return MUBLAS_STATUS_INVALID_POINTER;
  return reduce(context->settings(), result,
                [=] { return empty ? T{0} : Cblas<T>::nrm2(n, x, incx); });
}

}  // namespace
}  // namespace host_mublas

extern "C" {

mublasStatus_t mublasSaxpy(mublasHandle_t handle, mublas_int n, const float* alpha, const float* x,
                           mublas_int incx, float* y, mublas_int incy) {
  return host_mublas::axpy(handle, n, alpha, x, incx, y, incy);
}

mublasStatus_t mublasDaxpy(mublasHandle_t handle, mublas_int n, const double* alpha,
                           const double* x, mublas_int incx, double* y, mublas_int incy) {
  return host_mublas::axpy(handle, n, alpha, x, incx, y, incy);
}

mublasStatus_t mublasSscal(mublasHandle_t handle, mublas_int n, const float* alpha, float* x,
                           mublas_int incx) {
  return host_mublas::scal(handle, n, alpha, x, incx);
}

mublasStatus_t mublasDscal(mublasHandle_t handle, mublas_int n, const double* alpha, double* x,
                           mublas_int incx) {
  return host_mublas::scal(handle, n, alpha, x, incx);
}

mublasStatus_t mublasSdot(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                          const float* y, mublas_int incy, float* result) {
  return host_mublas::dot(handle, n, x, incx, y, incy, result);
}

mublasStatus_t mublasDdot(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                          const double* y, mublas_int incy, double* result) {
  return host_mublas::dot(handle, n, x, incx, y, incy, result);
}

mublasStatus_t mublasSnrm2(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                           float* result) {
  return host_mublas::nrm2(handle, n, x, incx, result);
}

mublasStatus_t mublasDnrm2(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                           double* result) {
  return host_mublas::nrm2(handle, n, x, incx, result);
}

}  // extern "C"
