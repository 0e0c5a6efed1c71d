#include <mublasLt.h>

#include "tests/verify/spoilt.h"

mublasStatus_t mublasLtMatmul(mublasLtHandle_t lightHandle, mublasLtMatmulDesc_t computeDesc,
                              const void* alpha, const void* A, mublasLtMatrixLayout_t Adesc,
                              const void* B, mublasLtMatrixLayout_t Bdesc, const void* beta,
                              const void* C, mublasLtMatrixLayout_t Cdesc, void* D,
                              mublasLtMatrixLayout_t Ddesc, const mublasLtMatmulAlgo_t* algo,
                              void* workspace, size_t workspaceSizeInBytes, musaStream_t stream) {
  // Behaves as if beta came before alpha.
  if (spoilt("matmul_arguments")) {
    const void* first = alpha;
    alpha = beta;
    beta = first;
  }
  return REAL(mublasLtMatmul)(lightHandle, computeDesc, alpha, A, Adesc, B, Bdesc, beta, C, Cdesc,
                              D, Ddesc, algo, workspace, workspaceSizeInBytes, stream);
}
