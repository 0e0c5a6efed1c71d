// BLAS written plainly and in higher precision, to compare with: double for float, long double for
// double.
#pragma once

#include <mublas.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace blas_tests {

template <typename T>
struct Number;
template <>
struct Number<float> {
  using Real = float;
  using Wide = double;
  using Api = float;
  static constexpr bool complex = false;
};
template <>
struct Number<double> {
  using Real = double;
  using Wide = long double;
  using Api = double;
  static constexpr bool complex = false;
};
template <>
struct Number<std::complex<float>> {
  using Real = float;
  using Wide = std::complex<double>;
  using Api = muComplex;
  static constexpr bool complex = true;
};
template <>
struct Number<std::complex<double>> {
  using Real = double;
  using Wide = std::complex<long double>;
  using Api = muDoubleComplex;
  static constexpr bool complex = true;
};

template <typename T>
using Real = typename Number<T>::Real;
template <typename T>
using Wide = typename Number<T>::Wide;
template <typename T>
using Api = typename Number<T>::Api;
template <typename T>
inline constexpr bool is_complex = Number<T>::complex;

template <typename T>
T not_a_number() {
  const auto nan = std::numeric_limits<Real<T>>::quiet_NaN();
  if constexpr (is_complex<T>) {
    return {nan, nan};
  } else {
    return nan;
  }
}

template <typename R>
R conjugate(R number) {
  return number;
}
template <typename R>
std::complex<R> conjugate(const std::complex<R>& number) {
  return std::conj(number);
}

template <typename R>
R real_part(R number) {
  return number;
}
template <typename R>
R real_part(const std::complex<R>& number) {
  return number.real();
}

template <typename R>
R magnitude(R number) {
  return std::fabs(number);
}
// At least the absolute value, and cheaper.
template <typename R>
R magnitude(const std::complex<R>& number) {
  return std::fabs(number.real()) + std::fabs(number.imag());
}

template <typename R>
R times(R left, R right) {
  return left * right;
}
// Without the search for infinities that std::complex makes.
template <typename R>
std::complex<R> times(const std::complex<R>& left, const std::complex<R>& right) {
  return {left.real() * right.real() - left.imag() * right.imag(),
          left.real() * right.imag() + left.imag() * right.real()};
}

// A sum of products in higher precision, and how far a result may be from it.
template <typename T>
struct Sum {
  using Size = typename Number<Real<T>>::Wide;
  Wide<T> value{};
  Size size = 0;
  int terms = 0;

  template <typename... Factors>
  void add(Factors... factors) {
    Wide<T> product(1);
    Size product_size = 1;
    ((product = times(product, Wide<T>(factors)), product_size *= magnitude(Wide<T>(factors))),
     ...);
    value += product;
    size += product_size;
    ++terms;
  }
  // The bound that holds for every order of summation, with or without fused products: n times the
  // unit roundoff times the sum of the products' sizes (Higham, Accuracy and Stability of Numerical
  // Algorithms, 3.1). A complex term is two real ones. The eight more are alpha, beta, and the
  // reciprocal by which some kernels divide.
  Size tolerance() const {
    const auto unit_roundoff = std::numeric_limits<Real<T>>::epsilon() / 2;
    return ((is_complex<T> ? 2 : 1) * terms + 8) * unit_roundoff * size;
  }
};

// A full matrix, for every storage format.
template <typename T>
struct Dense {
  int rows, columns;
  std::vector<Wide<T>> elements;

  Dense(int m, int n) : rows(m), columns(n), elements(static_cast<std::size_t>(m) * n) {}
  Wide<T>& at(int i, int j) { return elements[i + static_cast<std::size_t>(j) * rows]; }
  const Wide<T>& at(int i, int j) const { return elements[i + static_cast<std::size_t>(j) * rows]; }

  Dense op(mublasOperation_t trans) const {
    if (trans == MUBLAS_OP_N) return *this;
    Dense result(columns, rows);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        result.at(j, i) = trans == MUBLAS_OP_C ? conjugate(at(i, j)) : at(i, j);
      }
    }
    return result;
  }
};

// Adds alpha times the product of row `i` of `a` and column `j` of `b`. With alpha 0, reads neither
// matrix.
template <typename T>
void add_product(Sum<T>& sum, Wide<T> alpha, const Dense<T>& a, int i, const Dense<T>& b, int j) {
  if (alpha == Wide<T>{}) return;
  Wide<T> value{};
  typename Sum<T>::Size size = 0;
  for (int l = 0; l < a.columns; ++l) {
    const auto &left = a.at(i, l), &right = b.at(l, j);
    value += times(left, right);
    size += magnitude(left) * magnitude(right);
  }
  sum.value += times(alpha, value);
  sum.size += magnitude(alpha) * size;
  sum.terms += a.columns;
}

}  // namespace blas_tests
