// The numbers of the C interface, and the C++ types that compute with them.
#pragma once

#include <mublas.h>

#include <complex>
#include <type_traits>

#include "src/host/shared/forward.h"

namespace host_mublas {

template <typename T>
struct NativeType {
  using type = T;
};
template <>
struct NativeType<muComplex> {
  using type = std::complex<float>;
};
template <>
struct NativeType<muDoubleComplex> {
  using type = std::complex<double>;
};
template <typename T>
struct NativeType<const T> {
  using type = const typename NativeType<T>::type;
};
template <typename T>
struct NativeType<T*> {
  using type = typename NativeType<T>::type*;
};
template <typename T>
struct NativeType<T* const> {
  using type = typename NativeType<T>::type* const;
};

// A pointer, or an array of pointers, as the library reads it.
template <typename T>
auto native(T* pointer) {
  return reinterpret_cast<typename NativeType<T>::type*>(pointer);
}

// Other arguments stay as they are.
template <typename T>
requires(!std::is_pointer_v<T>) T native(T argument) { return argument; }

template <typename T>
struct RealType {
  using type = T;
  static constexpr bool complex = false;
};
template <typename R>
struct RealType<std::complex<R>> {
  using type = R;
  static constexpr bool complex = true;
};

template <typename T>
using Real = typename RealType<T>::type;
template <typename T>
inline constexpr bool is_complex = RealType<T>::complex;

inline float conjugate(float number) { return number; }
inline double conjugate(double number) { return number; }
template <typename R>
std::complex<R> conjugate(const std::complex<R>& number) {
  return std::conj(number);
}

}  // namespace host_mublas

// A function of muBLAS that has the arguments of `compute`.
#define MUBLAS_FORWARD(count, function, compute) \
  HOST_FORWARD(mublasStatus_t, count, function, host_mublas::compute, host_mublas::native)

// One definition for each letter: the letter, its type, and the real type of that size.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_FOR_REAL(define) define(S, float, float) define(D, double, double)
#define MUBLAS_FOR_COMPLEX(define) define(C, muComplex, float) define(Z, muDoubleComplex, double)
#define MUBLAS_FOR_ALL(define) MUBLAS_FOR_REAL(define) MUBLAS_FOR_COMPLEX(define)
// NOLINTEND(bugprone-macro-parentheses)
