// OpenBLAS's matrix product for each type, with column-major matrices. Two separate flags describe
// an operand: whether it is transposed in memory, and whether its numbers are conjugated.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <complex>

namespace host_mublas {

inline CBLAS_TRANSPOSE blas_operation(bool transposed, bool conjugate) {
  if (conjugate) return transposed ? CblasConjTrans : CblasConjNoTrans;
  return transposed ? CblasTrans : CblasNoTrans;
}

template <typename T>
struct BlasOperand {
  CBLAS_TRANSPOSE operation;
  const T* data;
  int ld;
};

template <typename T>
void blas_gemm(int m, int n, int k, T alpha, const BlasOperand<T>& a, const BlasOperand<T>& b,
               T beta, T* c, int ldc) {
  const int lda = std::max(a.ld, 1);
  const int ldb = std::max(b.ld, 1);
  const auto call = [&](auto gemm, auto alpha_argument, auto beta_argument) {
    gemm(CblasColMajor, a.operation, b.operation, m, n, k, alpha_argument, a.data, lda, b.data, ldb,
         beta_argument, c, ldc);
  };
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm, alpha, beta);
  } else if constexpr (std::is_same_v<T, double>) {
    call(cblas_dgemm, alpha, beta);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    call(cblas_cgemm, &alpha, &beta);
  } else {
    static_assert(std::is_same_v<T, std::complex<double>>);
    call(cblas_zgemm, &alpha, &beta);
  }
}

}  // namespace host_mublas
