// What some release of OpenBLAS computes wrong on some CPU, or by reading memory behind its
// arguments, computed in ways that are right with every release. So nothing depends on which
// OpenBLAS is found. Each defect names its report; tests/host/mublas/openblas.md lists all that
// were considered, and how they were tested.
#pragma once

#include <cblas.h>

#include <string_view>

#include "numbers.h"

namespace host_mublas {

// cblas_scasum adds the first element again and again: x86-64 kernels for AVX512-BF16, from 9
// elements on. OpenMathLib/OpenBLAS #4282; right since 0.3.25, and its last cause since 0.3.26.
float sound_scasum(int n, const std::complex<float>* x, int incx);

// zaxpy changes the first element of y only when every element of x is the first: x86-64 kernels
// for CPUs without AVX. #4176; right since 0.3.24.
template <typename T>
void sound_axpy(int n, T alpha, const T* x, int incx, T* y, int incy);

// scal takes 0 * NaN and 0 * infinity for 0, and complex ones confuse infinity and NaN: #4413,
// #4728, #5280; right since 0.3.30. That release's complex ones read behind a strided vector; not
// reported.
template <typename T, typename Alpha>
void sound_scal(int n, Alpha alpha, T* x, int incx);

// drotg overflows where its results do not: #4130; right since 0.3.24. crotg and zrotg give
// infinite or random numbers for r: #4909; 0.3.25 to 0.3.28.
template <typename T>
void sound_rotg(T* a, T* b, Real<T>* c, T* s);

// The complex dot functions read behind strided vectors, and complex gemv_n behind x: #3740, #4013;
// 0.3.21 and before as gcc 12 compiles them.
template <typename T>
T sound_dot(bool conjugate_x, int n, const T* x, int incx, const T* y, int incy);
template <typename T>
void sound_gemv_n(int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,
                  int incy);

// chemv and zhemv read behind A, x and y: #3455, #3567, #4013; up to 0.3.21. ssymv and dsymv read
// behind A in kernels for CPUs without AVX; not reported, and so in 0.3.34. BLAS itself has none
// for symmetric complex matrices.
template <typename T>
void sound_symv(bool hermitian, CBLAS_UPLO uplo, int n, T alpha, const T* a, int lda, const T* x,
                int incx, T beta, T* y, int incy);

// dsymm, dtrmm and dtrsm are wrong in x86-64 kernels for AVX512-BF16 when several kernels are built
// in: #3469 caused it in 0.3.19, #3631 undid it in 0.3.21. Ubuntu 22.04 has 0.3.20.
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
