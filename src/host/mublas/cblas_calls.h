// OpenBLAS by type, with muBLAS's operations.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/host/mublas/numbers.h"
#include "src/host/mublas/openblas_arguments.h"
#include "src/host/mublas/openblas_defects.h"
#include "src/host/shared/operands.h"

// By their Fortran names: cblas.h declares those of C since OpenBLAS 0.3.14 only.
extern "C" {
void csrot_(const int* n, void* x, const int* incx, void* y, const int* incy, const float* c,
            const float* s);
void zdrot_(const int* n, void* x, const int* incx, void* y, const int* incy, const double* c,
            const double* s);
}

namespace host_mublas {

inline bool is_operation(mublasOperation_t operation) {
  return operation == MUBLAS_OP_N || operation == MUBLAS_OP_T || operation == MUBLAS_OP_C;
}

// True for a single triangle. BLAS does not know the full matrix, the third value of
// mublasFillMode_t.
inline bool is_triangle(mublasFillMode_t uplo) {
  return uplo == MUBLAS_FILL_MODE_UPPER || uplo == MUBLAS_FILL_MODE_LOWER;
}

inline bool is_diagonal(mublasDiagType_t diag) {
  return diag == MUBLAS_DIAG_NON_UNIT || diag == MUBLAS_DIAG_UNIT;
}

inline bool is_side(mublasSideMode_t side) {
  return side == MUBLAS_SIDE_LEFT || side == MUBLAS_SIDE_RIGHT;
}

// MUBLAS_OP_C differs from MUBLAS_OP_T only for complex numbers.
template <typename T>
CBLAS_TRANSPOSE transpose(mublasOperation_t operation) {
  if (operation == MUBLAS_OP_N) return CblasNoTrans;
  return is_complex<T> && operation == MUBLAS_OP_C ? CblasConjTrans : CblasTrans;
}

inline CBLAS_UPLO triangle(mublasFillMode_t uplo) {
  return uplo == MUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower;
}

inline CBLAS_DIAG diagonal(mublasDiagType_t diag) {
  return diag == MUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

inline CBLAS_SIDE side_of(mublasSideMode_t side) {
  return side == MUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

// A triangle of which only k diagonals beside the main one are stored. The last column of a lower
// triangle has one element.
template <typename T>
host::Operand stored_band(mublasFillMode_t uplo, const T* a, int n, int k, int lda) {
  return host::matrix(a, uplo == MUBLAS_FILL_MODE_UPPER ? std::int64_t{k} + 1 : 1, n, lda);
}

// A triangle without gaps.
template <typename T>
host::Operand stored_packed(const T* a, std::int64_t n) {
  return host::array(a, n * (n + 1) / 2);
}

// OpenBLAS requires at least 1 even for matrices without rows.
inline int leading(int ld) { return std::max(ld, 1); }

template <typename T>
struct Cblas;

// For real numbers the Hermitian routines are the symmetric ones.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_CBLAS(t, sy, sb, sp)               \
  static constexpr auto axpy = cblas_##t##axpy;   \
  static constexpr auto copy = cblas_##t##copy;   \
  static constexpr auto swap = cblas_##t##swap;   \
  static constexpr auto gemv = cblas_##t##gemv;   \
  static constexpr auto gbmv = cblas_##t##gbmv;   \
  static constexpr auto hbmv = cblas_##t##sb##mv; \
  static constexpr auto hpmv = cblas_##t##sp##mv; \
  static constexpr auto her = cblas_##t##sy##r;   \
  static constexpr auto hpr = cblas_##t##sp##r;   \
  static constexpr auto her2 = cblas_##t##sy##r2; \
  static constexpr auto hpr2 = cblas_##t##sp##r2; \
  static constexpr auto trmv = cblas_##t##trmv;   \
  static constexpr auto trsv = cblas_##t##trsv;   \
  static constexpr auto tbmv = cblas_##t##tbmv;   \
  static constexpr auto tbsv = cblas_##t##tbsv;   \
  static constexpr auto tpmv = cblas_##t##tpmv;   \
  static constexpr auto tpsv = cblas_##t##tpsv;   \
  static constexpr auto gemm = cblas_##t##gemm;   \
  static constexpr auto syrk = cblas_##t##syrk;   \
  static constexpr auto herk = cblas_##t##sy##rk; \
  static constexpr auto syr2k = cblas_##t##syr2k; \
  static constexpr auto her2k = cblas_##t##sy##r2k

// Products and solutions with a matrix of which one triangle is stored.
#define MUBLAS_CBLAS_TRIANGLES(prefix, sy)     \
  static constexpr auto symm = prefix##symm;   \
  static constexpr auto hemm = prefix##sy##mm; \
  static constexpr auto trmm = prefix##trmm;   \
  static constexpr auto trsm = prefix##trsm

#define MUBLAS_CBLAS_REAL(t)                      \
  MUBLAS_CBLAS(t, sy, sb, sp);                    \
  static constexpr auto dot = cblas_##t##dot;     \
  static constexpr auto nrm2 = cblas_##t##nrm2;   \
  static constexpr auto asum = cblas_##t##asum;   \
  static constexpr auto rot = cblas_##t##rot;     \
  static constexpr auto rotm = cblas_##t##rotm;   \
  static constexpr auto rotmg = cblas_##t##rotmg; \
  static constexpr auto geru = cblas_##t##ger;    \
  static constexpr auto gerc = cblas_##t##ger

// `r` is the letter of the real numbers of that size.
#define MUBLAS_CBLAS_COMPLEX(t, r)                      \
  MUBLAS_CBLAS(t, he, hb, hp);                          \
  MUBLAS_CBLAS_TRIANGLES(cblas_##t, he);                \
  static constexpr auto dotu_sub = cblas_##t##dotu_sub; \
  static constexpr auto dotc_sub = cblas_##t##dotc_sub; \
  static constexpr auto nrm2 = cblas_##r##t##nrm2;      \
  static constexpr auto geru = cblas_##t##geru;         \
  static constexpr auto gerc = cblas_##t##gerc
// NOLINTEND(bugprone-macro-parentheses)

template <>
struct Cblas<float> {
  MUBLAS_CBLAS_REAL(s);
  MUBLAS_CBLAS_TRIANGLES(cblas_s, sy);
};
template <>
struct Cblas<double> {
  MUBLAS_CBLAS_REAL(d);
  MUBLAS_CBLAS_TRIANGLES(sound_d, sy);
};
template <>
struct Cblas<std::complex<float>> {
  MUBLAS_CBLAS_COMPLEX(c, s);
  static constexpr auto asum = sound_scasum;
  static void real_rot(int n, void* x, int incx, void* y, int incy, float c, float s) {
    csrot_(&n, x, &incx, y, &incy, &c, &s);
  }
};
template <>
struct Cblas<std::complex<double>> {
  MUBLAS_CBLAS_COMPLEX(z, d);
  static constexpr auto asum = cblas_dzasum;
  static void real_rot(int n, void* x, int incx, void* y, int incy, double c, double s) {
    zdrot_(&n, x, &incx, y, &incy, &c, &s);
  }
};

#undef MUBLAS_CBLAS_COMPLEX
#undef MUBLAS_CBLAS_REAL
#undef MUBLAS_CBLAS_TRIANGLES
#undef MUBLAS_CBLAS

template <typename T>
T dotu(int n, const T* x, int incx, const T* y, int incy) {
  if constexpr (is_complex<T>) {
    if (incx != 1 || incy != 1) return sound_dot(false, n, x, incx, y, incy);
    T result;
    Cblas<T>::dotu_sub(n, x, incx, y, incy, &result);
    return result;
  } else {
    return Cblas<T>::dot(n, x, incx, y, incy);
  }
}

// The dot product of the conjugate of x with y.
template <typename T>
T dotc(int n, const T* x, int incx, const T* y, int incy) {
  if constexpr (is_complex<T>) {
    if (incx != 1 || incy != 1) return sound_dot(true, n, x, incx, y, incy);
    T result;
    Cblas<T>::dotc_sub(n, x, incx, y, incy, &result);
    return result;
  } else {
    return Cblas<T>::dot(n, x, incx, y, incy);
  }
}

}  // namespace host_mublas
