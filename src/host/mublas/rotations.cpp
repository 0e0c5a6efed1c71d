// rot, rotg, rotm and rotmg.
#include <array>

#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/results.h"
#include "src/host/mublas/scalar.h"

namespace host_mublas {
namespace {

template <typename T, typename S>
void rotate(int n, T* x, int incx, T* y, int incy, Real<T> c, S s) {
  if constexpr (!is_complex<T>) {
    Cblas<T>::rot(n, x, incx, y, incy, c, s);
  } else if constexpr (!is_complex<S>) {
    Cblas<T>::real_rot(n, x, incx, y, incy, c, s);
  } else {  // older OpenBLAS lacks this for a complex s
    const Strided<T> first(x, n, incx), second(y, n, incy);
    for (int i = 0; i < n; ++i) {
      const T old = first[i];
      first[i] = c * old + s * second[i];
      second[i] = c * second[i] - conjugate(s) * old;
    }
  }
}

template <typename T, typename S>
mublasStatus_t rot(mublasHandle_t handle, int n, T* x, int incx, T* y, int incy,
                   const Real<T>* c_pointer, const S* s_pointer) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!x || !y || !c_pointer || !s_pointer) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<Real<T>> c(settings, c_pointer);
  const Scalar<S> s(settings, s_pointer);
  return start(settings,
               {host::vector(x, n, incx), host::vector(y, n, incy), c.operand(), s.operand()},
               [=] { rotate(n, x, incx, y, incy, c.value(), s.value()); });
}

template <typename T>
mublasStatus_t rotg(mublasHandle_t handle, T* a, T* b, Real<T>* c, T* s) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!a || !b || !c || !s) return MUBLAS_STATUS_INVALID_POINTER;
  return start_with_results(
      context->settings(), {},
      {host::array(a, 1), host::array(b, 1), host::array(c, 1), host::array(s, 1)},
      [=] { sound_rotg(a, b, c, s); });
}

template <typename T>
mublasStatus_t rotm(mublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* param) {
  using Parameters = std::array<T, 5>;
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (n <= 0) return MUBLAS_STATUS_SUCCESS;
  if (!x || !y || !param) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<Parameters> parameters(settings, reinterpret_cast<const Parameters*>(param));
  return start(settings, {host::vector(x, n, incx), host::vector(y, n, incy), parameters.operand()},
               [=] { Cblas<T>::rotm(n, x, incx, y, incy, parameters.value().data()); });
}

template <typename T>
mublasStatus_t rotmg(mublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!d1 || !d2 || !x1 || !y1 || !param) return MUBLAS_STATUS_INVALID_POINTER;
  return start_with_results(
      context->settings(), {host::array(y1, 1)},
      {host::array(d1, 1), host::array(d2, 1), host::array(x1, 1), host::array(param, 5)},
      [=] { Cblas<T>::rotmg(d1, d2, x1, *y1, param); });
}

}  // namespace
}  // namespace host_mublas

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_ROTATE(letter, T, R)           \
  MUBLAS_FORWARD(8, mublas##letter##rot, rot) \
  MUBLAS_FORWARD(5, mublas##letter##rotg, rotg)
#define MUBLAS_MODIFIED(letter, T, R)           \
  MUBLAS_FORWARD(7, mublas##letter##rotm, rotm) \
  MUBLAS_FORWARD(6, mublas##letter##rotmg, rotmg)

MUBLAS_FOR_ALL(MUBLAS_ROTATE)
MUBLAS_FORWARD(8, mublasCsrot, rot)
MUBLAS_FORWARD(8, mublasZdrot, rot)
MUBLAS_FOR_REAL(MUBLAS_MODIFIED)
// NOLINTEND(bugprone-macro-parentheses)
