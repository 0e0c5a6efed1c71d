// Products whose name fixes the type of computation: GemmEx with that type. The 3m form computes
// the same complex product with fewer real ones; muBLAS chooses its own way.
#include <stdint.h>

#include "facts.h"

#define TORCHADA_TYPED_GEMM(name, suffix, Int)                                                     \
  extern "C" int torchada_adapter_cublas##name##suffix(                                            \
      void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a, \
      int a_type, Int lda, const void* b, int b_type, Int ldb, const void* beta, void* c,          \
      int c_type, Int ldc) {                                                                       \
    return torchada_own_cublasGemmEx##suffix(                                                      \
        handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type,   \
        ldc, static_cast<int>(torchada::cuda::CUBLAS_COMPUTE_32F),                                 \
        static_cast<int>(torchada::cuda::CUBLAS_GEMM_DEFAULT));                                    \
  }

TORCHADA_TYPED_GEMM(SgemmEx, , int)
TORCHADA_TYPED_GEMM(CgemmEx, , int)
TORCHADA_TYPED_GEMM(Cgemm3mEx, , int)
#if TORCHADA_ABI >= 12
TORCHADA_TYPED_GEMM(SgemmEx, _64, int64_t)
TORCHADA_TYPED_GEMM(CgemmEx, _64, int64_t)
TORCHADA_TYPED_GEMM(Cgemm3mEx, _64, int64_t)
#endif
