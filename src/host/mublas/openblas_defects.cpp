#include "src/host/mublas/openblas_defects.h"

#include <cmath>

#include "src/host/mublas/openblas_arguments.h"

namespace host_mublas {
namespace {

// The calls of cblas_calls.h are built upon this file.
template <typename T>
constexpr auto kAxpy = nullptr;
template <>
constexpr auto kAxpy<float> = cblas_saxpy;
template <>
constexpr auto kAxpy<double> = cblas_daxpy;
template <>
constexpr auto kAxpy<std::complex<float>> = cblas_caxpy;
template <>
constexpr auto kAxpy<std::complex<double>> = cblas_zaxpy;

// By the formula of BLAS: std::complex would look for infinities.
template <typename R>
std::complex<R> product(const std::complex<R>& left, const std::complex<R>& right) {
  return {left.real() * right.real() - left.imag() * right.imag(),
          left.real() * right.imag() + left.imag() * right.real()};
}
template <typename T, typename R>
T product(const T& left, R right) {
  return left * right;
}

template <typename T>
void scale_or_clear(int n, T beta, T* y_data, int incy) {
  const Strided<T> y(y_data, n, incy);
  for (int i = 0; i < n; ++i) y[i] = beta == T{} ? T{} : product(beta, y[i]);
}

CBLAS_TRANSPOSE transposed(CBLAS_TRANSPOSE trans) {
  return trans == CblasNoTrans ? CblasTrans : CblasNoTrans;
}

// B becomes alpha times B, and then what `apply` makes of each column, or of each row if the
// triangular matrix stands on the right.
template <typename Apply>
void by_vectors(CBLAS_SIDE side, CBLAS_TRANSPOSE trans, int m, int n, double alpha, double* b,
                int ldb, Apply apply) {
  for (int j = 0; j < n; ++j) sound_scal(m, alpha, column(b, ldb, j), 1);
  if (side == CblasLeft) {
    for (int j = 0; j < n; ++j) apply(trans, m, column(b, ldb, j), 1);
  } else {
    for (int i = 0; i < m; ++i) apply(transposed(trans), n, b + i, ldb);
  }
}

}  // namespace

float sound_scasum(int n, const std::complex<float>* x_data, int incx) {
  const Strided<const std::complex<float>> x(x_data, n, incx);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::fabs(x[i].real()) + std::fabs(x[i].imag());
  return static_cast<float>(sum);
}

template <typename T>
void sound_axpy(int n, T alpha, const T* x, int incx, T* y_data, int incy) {
  if (incx != 0) return kAxpy<T>(n, scalar(alpha), x, incx, y_data, incy);
  const Strided<T> y(y_data, n, incy);
  for (int i = 0; i < n; ++i) y[i] += product(alpha, *x);
}

template <typename T, typename Alpha>
void sound_scal(int n, Alpha alpha, T* x_data, int incx) {
  const Strided<T> x(x_data, n, incx);
  for (int i = 0; i < n; ++i) x[i] = product(x[i], alpha);
}

template <typename T>
void sound_rotg(T* a, T* b, Real<T>* c, T* s) {
  const auto size_a = std::abs(*a), size_b = std::abs(*b);
  const auto norm = std::hypot(size_a, size_b);
  if constexpr (is_complex<T>) {
    const T direction = size_a == 0 ? T(1) : *a / size_a;
    *c = size_a == 0 ? 0 : size_a / norm;
    *s = size_a == 0 ? T(1) : product(direction, conjugate(*b / norm));
    *a = size_a == 0 ? *b : direction * norm;
  } else {
    const T r = std::copysign(norm, size_a > size_b ? *a : *b);
    *c = r == 0 ? 1 : *a / r;
    *s = r == 0 ? 0 : *b / r;
    *a = r;
    // From one number c and s can be had again.
    *b = r == 0 ? 0 : size_a > size_b ? *s : *c == 0 ? 1 : 1 / *c;
  }
}

template <typename T>
T sound_dot(bool conjugate_x, int n, const T* x_data, int incx, const T* y_data, int incy) {
  const Strided<const T> x(x_data, n, incx), y(y_data, n, incy);
  T sum{};
  for (int i = 0; i < n; ++i) sum += product(conjugate_x ? conjugate(x[i]) : x[i], y[i]);
  return sum;
}

template <typename T>
void sound_gemv_n(int m, int n, T alpha, const T* a, int lda, const T* x_data, int incx, T beta,
                  T* y, int incy) {
  if (beta != T{1}) scale_or_clear(m, beta, y, incy);
  if (alpha == T{}) return;
  const Strided<const T> x(x_data, n, incx);
  for (int j = 0; j < n; ++j) {
    const T by = product(alpha, x[j]);
    kAxpy<T>(m, scalar(by), column(a, lda, j), 1, y, incy);
  }
}

template <typename T>
void sound_symv(bool hermitian, CBLAS_UPLO uplo, int n, T alpha, const T* a, int lda,
                const T* x_data, int incx, T beta, T* y_data, int incy) {
  scale_or_clear(n, beta, y_data, incy);
  if (alpha == T{}) return;
  const Strided<const T> x(x_data, n, incx);
  const Strided<T> y(y_data, n, incy);
  for (int j = 0; j < n; ++j) {
    const T* const stored = column(a, lda, j);
    const T by = product(alpha, x[j]);
    const T diagonal = hermitian ? T(std::real(stored[j])) : stored[j];
    const int first = uplo == CblasUpper ? 0 : j + 1;
    const int end = uplo == CblasUpper ? j : n;
    T row = product(diagonal, x[j]);
    for (int i = first; i < end; ++i) {
      y[i] += product(by, stored[i]);
      row += product(hermitian ? conjugate(stored[i]) : stored[i], x[i]);
    }
    y[j] += product(alpha, row);
  }
}

void dsymm_by_vectors(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, int m, int n,
                      double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                      double* c, int ldc) {
  if (side == CblasLeft) {
    for (int j = 0; j < n; ++j) {
      cblas_dsymv(order, uplo, m, alpha, a, lda, column(b, ldb, j), 1, beta, column(c, ldc, j), 1);
    }
  } else {
    for (int i = 0; i < m; ++i) {
      cblas_dsymv(order, uplo, n, alpha, a, lda, b + i, ldb, beta, c + i, ldc);
    }
  }
}

void dtrmm_by_vectors(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                      CBLAS_DIAG diag, int m, int n, double alpha, const double* a, int lda,
                      double* b, int ldb) {
  by_vectors(side, trans, m, n, alpha, b, ldb,
             [=](CBLAS_TRANSPOSE operation, int size, double* x, int incx) {
               cblas_dtrmv(order, uplo, operation, diag, size, a, lda, x, incx);
             });
}

void dtrsm_by_vectors(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                      CBLAS_DIAG diag, int m, int n, double alpha, const double* a, int lda,
                      double* b, int ldb) {
  by_vectors(side, trans, m, n, alpha, b, ldb,
             [=](CBLAS_TRANSPOSE operation, int size, double* x, int incx) {
               cblas_dtrsv(order, uplo, operation, diag, size, a, lda, x, incx);
             });
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_SOUND(T)                                     \
  template void sound_axpy(int, T, const T*, int, T*, int); \
  template void sound_scal(int, T, T*, int);                \
  template void sound_rotg(T*, T*, Real<T>*, T*);           \
  template void sound_symv(bool, CBLAS_UPLO, int, T, const T*, int, const T*, int, T, T*, int);
#define MUBLAS_SOUND_COMPLEX(R)                                                      \
  MUBLAS_SOUND(std::complex<R>)                                                      \
  template void sound_scal(int, R, std::complex<R>*, int);                           \
  template std::complex<R> sound_dot(bool, int, const std::complex<R>*, int,         \
                                     const std::complex<R>*, int);                   \
  template void sound_gemv_n(int, int, std::complex<R>, const std::complex<R>*, int, \
                             const std::complex<R>*, int, std::complex<R>, std::complex<R>*, int);
// NOLINTEND(bugprone-macro-parentheses)

MUBLAS_SOUND(float)
MUBLAS_SOUND(double)
MUBLAS_SOUND_COMPLEX(float)
MUBLAS_SOUND_COMPLEX(double)

}  // namespace host_mublas
