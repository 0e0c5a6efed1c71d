// Replaces functions of OpenBLAS that some release computes wrongly on some CPU, or that read
// memory beyond their operands. The replacements are right with every release, so this code does
// not need to know which OpenBLAS it has. A number such as #4282 is an issue or a pull request of
// OpenMathLib/OpenBLAS. tests/host/mublas/openblas.md lists all defects that were considered, with
// the tests and their outcome.
#pragma once

#include <cblas.h>

#include <string_view>

#include "src/host/mublas/numbers.h"

namespace host_mublas {

// scasum adds the first element in place of the last ones. Kernels for AVX512-BF16, n >= 9.
// #4282, fixed by #4287 in 0.3.25 and by #4326 in 0.3.26.
float sound_scasum(int n, const std::complex<float>* x, int incx);

// zaxpy with incx = 0 changes only the first element of y. Kernels for CPUs without AVX.
// #4176, fixed by #4177 in 0.3.24.
template <typename T>
void sound_axpy(int n, T alpha, const T* x, int incx, T* y, int incy);

// scal with alpha = 0 clears NaN and infinity, and the complex functions mix them up. All kernels.
// #4413, #4728 and #5280, fixed in 0.3.27, 0.3.28 and 0.3.30. In 0.3.34 cscal, zscal, csscal and
// zdscal also read beyond a strided x; we found no report.
template <typename T, typename Alpha>
void sound_scal(int n, Alpha alpha, T* x, int incx);

// drotg and zrotg overflow although their results do not. All CPUs. #4130, fixed by #4143 in
// 0.3.24. From 0.3.24 to 0.3.26 crotg and zrotg divide r by memory beyond c. #4909, fixed in
// 0.3.27.
template <typename T>
void sound_rotg(T* a, T* b, Real<T>* c, T* s);

// The complex dot functions read beyond strided vectors, and complex gemv without transposition
// reads beyond x, in releases up to 0.3.23 that gcc 12 compiled. #3740 and #4013, fixed by #4014
// and #4015 in 0.3.24.
template <typename T>
T sound_dot(bool conjugate_x, int n, const T* x, int incx, const T* y, int incy);
template <typename T>
void sound_gemv_n(int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,
                  int incy);

// chemv and zhemv read beyond A, x and y. #3455, #3567 and #4013, fixed in 0.3.19, 0.3.21 and
// 0.3.24. ssymv and dsymv read beyond A in kernels for CPUs without AVX; we found no report, and
// 0.3.34 still does it. BLAS has no product with a symmetric complex matrix.
template <typename T>
void sound_symv(bool hermitian, CBLAS_UPLO uplo, int n, T alpha, const T* a, int lda, const T* x,
                int incx, T beta, T* y, int incy);

// dsymm, dtrmm and dtrsm are wrong in kernels for AVX512-BF16 if OpenBLAS was built for several
// CPUs. Since #3469 in 0.3.19, fixed by #3631 in 0.3.21; Ubuntu 22.04 has 0.3.20.
inline constexpr bool kWrongTriangles =
    std::string_view(OPENBLAS_VERSION).find(" 0.3.19 ") != std::string_view::npos ||
    std::string_view(OPENBLAS_VERSION).find(" 0.3.20 ") != std::string_view::npos;
void dsymm_by_vectors(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, int m, int n,
                      double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                      double* c, int ldc);
void dtrmm_by_vectors(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                      CBLAS_DIAG diag, int m, int n, double alpha, const double* a, int lda,
                      double* b, int ldb);
void dtrsm_by_vectors(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans,
                      CBLAS_DIAG diag, int m, int n, double alpha, const double* a, int lda,
                      double* b, int ldb);
inline constexpr auto sound_dsymm = kWrongTriangles ? dsymm_by_vectors : cblas_dsymm;
inline constexpr auto sound_dtrmm = kWrongTriangles ? dtrmm_by_vectors : cblas_dtrmm;
inline constexpr auto sound_dtrsm = kWrongTriangles ? dtrsm_by_vectors : cblas_dtrsm;

}  // namespace host_mublas
