// The routines that exist for four types, grouped by their operands. Instantiated in blas_*.cpp.
#pragma once

#include "src/command/verify/probes/blas_handle.h"

namespace torchada::verify {

template <typename T>
void probe_vectors(Probing& p);
template <typename T>
void probe_matrix_vector(Probing& p);
template <typename T>
void probe_updates(Probing& p);
template <typename T>
void probe_products(Probing& p);
template <typename T>
void probe_batches(Probing& p);

// NOLINTBEGIN(bugprone-macro-parentheses): a template's name cannot be put in parentheses.
#define TORCHADA_FOR_BLAS_TYPES(probe)                \
  template void probe<float>(Probing&);               \
  template void probe<double>(Probing&);              \
  template void probe<std::complex<float>>(Probing&); \
  template void probe<std::complex<double>>(Probing&);
// NOLINTEND(bugprone-macro-parentheses)

// An n x n matrix from the upper triangle of `a`, which is stored with leading dimension `lda`.
// Elements outside that triangle are never read.
template <typename T>
Dense<T> from_upper(const std::vector<T>& a, int n, int lda, bool hermitian, bool triangular) {
  Dense<T> out(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= j; ++i) {
      T value = a[index_of(i, j, lda)];
      if (i == j && hermitian) value = T(std::real(value));
      out(i, j) = value;
      if (!triangular) out(j, i) = hermitian ? Scalar<T>::conjugate(value) : value;
    }
  }
  return out;
}

// The same matrix, with only `below` diagonals below and `above` diagonals above the main one.
template <typename T>
Dense<T> banded(Dense<T> a, int below, int above) {
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (j - i > above || i - j > below) a(i, j) = T{};
    }
  }
  return a;
}

// The upper triangle, column by column.
template <typename T>
std::vector<T> packed(const Dense<T>& a) {
  std::vector<T> out;
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i <= j; ++i) out.push_back(a(i, j));
  }
  return out;
}

// The band storage of BLAS: the main diagonal is in row `above`.
template <typename T>
std::vector<T> band_storage(const Dense<T>& a, int below, int above, int lda) {
  std::vector<T> out(elements(lda, a.columns));
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (j - i <= above && i - j <= below) {
        out[index_of(above + i - j, j, lda)] = a(i, j);
      }
    }
  }
  return out;
}

template <typename T>
Dense<T> dense(const std::vector<T>& a, int rows, int columns, int ld) {
  Dense<T> out(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) out(i, j) = a[index_of(i, j, ld)];
  }
  return out;
}

// `a` written over `in`, whose other elements stay.
template <typename T>
std::vector<T> placed(const Dense<T>& a, std::vector<T> in, int ld) {
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) in[index_of(i, j, ld)] = a(i, j);
  }
  return in;
}

// Every `inc`-th element.
template <typename T>
Dense<T> strided(const std::vector<T>& x, int n, int inc) {
  Dense<T> out(n, 1);
  for (int i = 0; i < n; ++i) out(i, 0) = x[index_of(0, i, inc)];
  return out;
}

template <typename T>
std::vector<T> placed_strided(const Dense<T>& a, std::vector<T> in, int inc) {
  for (int i = 0; i < a.rows; ++i) in[index_of(0, i, inc)] = a(i, 0);
  return in;
}

// A triangle suitable for solving: its diagonal is far from zero.
template <typename T>
std::vector<T> solvable(int n, int lda, int start) {
  std::vector<T> out = numbers<T>(n * lda, start);
  for (int i = 0; i < n; ++i) out[index_of(i, i, lda)] = Scalar<T>::make(3 + i, 1);
  return out;
}

}  // namespace torchada::verify
