// A plain BLAS in higher precision, for comparison.
#pragma once

#include <mublas.h>

#include <complex>
#include <limits>
#include <vector>

namespace blas_tests {

template <typename T>
struct Number {
  using Real = T;
  using Wide = long double;
  using Api = T;
  static constexpr bool complex = false;
};
template <>
struct Number<std::complex<float>> {
  using Real = float;
  using Wide = std::complex<long double>;
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

inline long double conjugate(long double number) { return number; }
inline std::complex<long double> conjugate(std::complex<long double> number) {
  return std::conj(number);
}
inline long double real_part(long double number) { return number; }
inline long double real_part(std::complex<long double> number) { return number.real(); }

// A sum of products, and the data that bound its rounding error.
template <typename T>
struct Sum {
  Wide<T> value{};
  long double size = 0;
  int terms = 0;

  template <typename... Factors>
  void add(Factors... factors) {
    const Wide<T> product = (Wide<T>(factors) * ...);
    value += product;
    size += std::abs(product);
    ++terms;
  }
  long double tolerance() const {
    return 4 * (terms + 8) * size * std::numeric_limits<Real<T>>::epsilon();
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
  for (int l = 0; l < a.columns; ++l) sum.add(alpha, a.at(i, l), b.at(l, j));
}

}  // namespace blas_tests
