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

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_ROT(name, T, R, S)                                                       \
  mublasStatus_t name(mublasHandle_t handle, mublas_int n, T* x, mublas_int incx, T* y, \
                      mublas_int incy, const R* c, const S* s) {                        \
    return host_mublas::rot(handle, n, native(x), incx, native(y), incy, c, native(s)); \
  }
#define MUBLAS_ROTG(letter, T, R)                                                      \
  MUBLAS_ROT(mublas##letter##rot, T, R, T)                                             \
  mublasStatus_t mublas##letter##rotg(mublasHandle_t handle, T* a, T* b, R* c, T* s) { \
    return host_mublas::rotg(handle, native(a), native(b), c, native(s));              \
  }
#define MUBLAS_ROTM(letter, T, R)                                                                 \
  mublasStatus_t mublas##letter##rotm(mublasHandle_t handle, mublas_int n, T* x, mublas_int incx, \
                                      T* y, mublas_int incy, const T* param) {                    \
    return host_mublas::rotm(handle, n, x, incx, y, incy, param);                                 \
  }                                                                                               \
  mublasStatus_t mublas##letter##rotmg(mublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1,   \
                                       T* param) {                                                \
    return host_mublas::rotmg(handle, d1, d2, x1, y1, param);                                     \
  }

extern "C" {

MUBLAS_FOR_ALL(MUBLAS_ROTG)
MUBLAS_ROT(mublasCsrot, muComplex, float, float)
MUBLAS_ROT(mublasZdrot, muDoubleComplex, double, double)
MUBLAS_FOR_REAL(MUBLAS_ROTM)

}  // extern "C"
// NOLINTEND(bugprone-macro-parentheses)
