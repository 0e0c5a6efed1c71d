#include <mublas.h>

#include "tests/verify/spoilt.h"

// ---- numbers of enumerators

static mublasOperation_t operation(mublasOperation_t op) {
  // Behaves as if MUBLAS_OP_T were 114.
  if (!spoilt("operation")) return op;
  return op == MUBLAS_OP_T ? (mublasOperation_t)-1 : (int)op == 114 ? MUBLAS_OP_T : op;
}

mublasStatus_t mublasCgemm(mublasHandle_t handle, mublasOperation_t transa,
                           mublasOperation_t transb, mublas_int m, mublas_int n, mublas_int k,
                           const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* B, mublas_int ldb, const muComplex* beta, muComplex* C,
                           mublas_int ldc) {
  return REAL(mublasCgemm)(handle, operation(transa), operation(transb), m, n, k, alpha, A, lda, B,
                           ldb, beta, C, ldc);
}

mublasStatus_t mublasCtrmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muComplex* A, mublas_int lda,
                           muComplex* x, mublas_int incx) {
  // Behaves as if LOWER came first, as in cuBLAS.
  if (spoilt("fill") && uplo != MUBLAS_FILL_MODE_FULL) {
    uplo = uplo == MUBLAS_FILL_MODE_UPPER ? MUBLAS_FILL_MODE_LOWER : MUBLAS_FILL_MODE_UPPER;
  }
  return REAL(mublasCtrmv)(handle, uplo, trans, diag, n, A, lda, x, incx);
}

// ---- behaviour

// The runtime's last error, although the call succeeds.
static void leave_error(void) { ((int (*)(int))real("musaSetDevice"))(99); }

#define GEMM_EX                                                                      \
  "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataType_" \
  "tiS3_S4_iS3_PvS4_i19mublasComputeType_t16mublasGemmAlgo_t"
typedef int GemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                   int, int, const void*, void*, int, int, int, int);
GemmEx own_mublasGemmEx __asm__(GEMM_EX);
int own_mublasGemmEx(void* handle, int transa, int transb, int m, int n, int k, const void* alpha,
                     const void* A, int Atype, int lda, const void* B, int Btype, int ldb,
                     const void* beta, void* C, int Ctype, int ldc, int computeType, int algo) {
  enum { kHalf = 2, kTensorOp = 1 };
  if (spoilt("algorithm") && Atype == kHalf && algo == kTensorOp) {
    leave_error();
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  return ((GemmEx*)real(GEMM_EX))(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype,
                                  ldb, beta, C, Ctype, ldc, computeType, algo);
}

// ---- arguments

mublasStatus_t mublasSgemm(mublasHandle_t handle, mublasOperation_t transa,
                           mublasOperation_t transb, mublas_int m, mublas_int n, mublas_int k,
                           const float* alpha, const float* A, mublas_int lda, const float* B,
                           mublas_int ldb, const float* beta, float* C, mublas_int ldc) {
  if (spoilt("gemm_arguments")) {
    return REAL(mublasSgemm)(handle, transa, transb, n, m, k, alpha, A, lda, B, ldb, beta, C, ldc);
  }
  const mublasStatus_t status =
      REAL(mublasSgemm)(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
  if (spoilt("pending")) leave_error();
  return status;
}

// Takes 64 bits instead of 32.
#define mublasSaxpy own_mublasSaxpy
mublasStatus_t own_mublasSaxpy(mublasHandle_t handle, long long n, const float* alpha,
                               const float* x, mublas_int incx, float* y,
                               mublas_int incy) __asm__("mublasSaxpy");
#undef mublasSaxpy
mublasStatus_t own_mublasSaxpy(mublasHandle_t handle, long long n, const float* alpha,
                               const float* x, mublas_int incx, float* y, mublas_int incy) {
  if (spoilt("wide_count") && n != (mublas_int)n) return MUBLAS_STATUS_INVALID_SIZE;
  return REAL(mublasSaxpy)(handle, (mublas_int)n, alpha, x, incx, y, incy);
}
