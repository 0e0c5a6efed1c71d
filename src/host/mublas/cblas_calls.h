// OpenBLAS by type, with muBLAS's operations.
#pragma once

#include <cblas.h>
#include <mublas.h>

namespace host_mublas {

inline bool is_operation(mublasOperation_t operation) {
  return operation == MUBLAS_OP_N || operation == MUBLAS_OP_T || operation == MUBLAS_OP_C;
}

// MUBLAS_OP_C differs from MUBLAS_OP_T only for complex numbers.
inline CBLAS_TRANSPOSE transpose(mublasOperation_t operation) {
  return operation == MUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

template <typename T>
struct Cblas;

template <>
struct Cblas<float> {
  static constexpr auto axpy = cblas_saxpy;
  static constexpr auto scal = cblas_sscal;
  static constexpr auto dot = cblas_sdot;
  static constexpr auto nrm2 = cblas_snrm2;
  static constexpr auto gemv = cblas_sgemv;
  static constexpr auto gemm = cblas_sgemm;
};

template <>
struct Cblas<double> {
  static constexpr auto axpy = cblas_daxpy;
  static constexpr auto scal = cblas_dscal;
  static constexpr auto dot = cblas_ddot;
  static constexpr auto nrm2 = cblas_dnrm2;
  static constexpr auto gemv = cblas_dgemv;
  static constexpr auto gemm = cblas_dgemm;
};

}  // namespace host_mublas
