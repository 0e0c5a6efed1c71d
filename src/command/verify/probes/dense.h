// Small dense matrices, computed by definition: the expected results of BLAS routines.
#pragma once

#include <cmath>
#include <complex>
#include <string>
#include <vector>

namespace torchada::verify {

// The index of element (i, j) in column-major order with leading dimension `ld`. The product is a
// size_t, so no int overflows.
inline std::size_t index_of(int i, int j, int ld) {
  return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(ld);
}
// The elements of a matrix without gaps.
inline std::size_t elements(int rows, int columns) { return index_of(0, columns, rows); }

template <typename T>
struct Scalar {
  using Real = T;
  static constexpr bool kIsComplex = false;
  static T conjugate(T value) { return value; }
  static T make(double re, double) { return static_cast<T>(re); }
};
template <typename R>
struct Scalar<std::complex<R>> {
  using Real = R;
  static constexpr bool kIsComplex = true;
  static std::complex<R> conjugate(std::complex<R> value) { return std::conj(value); }
  static std::complex<R> make(double re, double im) {
    return {static_cast<R>(re), static_cast<R>(im)};
  }
};

// Column-major, without gaps.
template <typename T>
struct Dense {
  int rows, columns;
  std::vector<T> values;

  Dense(int r, int c) : rows(r), columns(c), values(elements(r, c)) {}
  T& operator()(int i, int j) { return values[index_of(i, j, rows)]; }
  const T& operator()(int i, int j) const { return values[index_of(i, j, rows)]; }

  Dense transposed(bool conjugated = false) const {
    Dense out(columns, rows);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        out(j, i) = conjugated ? Scalar<T>::conjugate((*this)(i, j)) : (*this)(i, j);
      }
    }
    return out;
  }
};

template <typename T>
Dense<T> operator*(const Dense<T>& a, const Dense<T>& b) {
  Dense<T> out(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      T sum{};
      for (int l = 0; l < a.columns; ++l) sum += a(i, l) * b(l, j);
      out(i, j) = sum;
    }
  }
  return out;
}

template <typename T>
Dense<T> operator*(T factor, Dense<T> a) {
  for (T& value : a.values) value *= factor;
  return a;
}

template <typename T>
Dense<T> operator+(Dense<T> a, const Dense<T>& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

// Small numbers. Neighbours differ, and `start` makes matrices differ from each other.
template <typename T>
std::vector<T> numbers(int count, int start) {
  std::vector<T> out;
  for (int i = 0; i < count; ++i) {
    const int at = i * 7 + start * 5;
    out.push_back(Scalar<T>::make((at % 11 - 5) / 4.0, ((at + i) % 7 - 3) / 4.0));
  }
  return out;
}

template <typename T>
bool near(const std::vector<T>& found, const std::vector<T>& expected) {
  if (found.size() != expected.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Written so that a NaN fails.
    if (!(std::abs(found[i] - expected[i]) <= 2e-3 * (1 + std::abs(expected[i])))) return false;
  }
  return true;
}

// The first difference, as readable text.
template <typename T>
std::string difference(const std::vector<T>& found, const std::vector<T>& expected) {
  for (std::size_t i = 0; i < found.size() && i < expected.size(); ++i) {
    if (std::abs(found[i] - expected[i]) <= 2e-3 * (1 + std::abs(expected[i]))) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(std::real(found[i])) + "+" +
           std::to_string(std::imag(found[i])) + "i instead of " +
           std::to_string(std::real(expected[i])) + "+" + std::to_string(std::imag(expected[i])) +
           "i";
  }
  return "none";
}

}  // namespace torchada::verify
