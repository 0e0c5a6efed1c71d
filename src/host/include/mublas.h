/* muBLAS 1.10.6 (MUSA SDK 5.1), as far as public evidence shows it. Types and their sources are in
 * internal/mublas_types.h.
 *
 * Functions transcribed by hand from:
 *   ZhaoShanBiounite/musapy: musa_x_ffi.rs and tools/check_musax_symbols.sh
 *                                                (signatures; plain C names seen by nm in 3.1.0)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mublas_dynload.h
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/{MUSABlas.cpp,MublasHandlePool.cpp}
 *   MooreThreads/amgx-musa: the overloads over mublas (nrm2, dot, scal, copy argument lists)
 *   FlagOS muBLAS migration notes                (the check of names against 1.10.6)
 *   ggml-org/ggml: its vendor header musa.h      (mublasGetStatusString)
 *
 * Assumed, because no public source states it: the format of mublasGetVersion's number
 * (major * 10000 + minor * 100 + patch, as the MUSA runtime's), and the texts of
 * mublasGetStatusString (the names of the members).
 */
#ifndef MUBLAS_H_
#define MUBLAS_H_

#include <muComplex.h>
#include <musa_fp16.h>
#include <musa_runtime_api.h>

#include "internal/mublas_types.h"

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 10
#define MUBLAS_VERSION_PATCH 6

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

mublasStatus_t mublasCreate(mublasHandle_t* handle);
mublasStatus_t mublasDestroy(mublasHandle_t handle);
mublasStatus_t mublasGetVersion(mublasHandle_t handle, int* version);
const char* mublasGetStatusString(mublasStatus_t status);
mublasStatus_t mublasSetStream(mublasHandle_t handle, musaStream_t stream);
mublasStatus_t mublasGetStream(mublasHandle_t handle, musaStream_t* stream);
mublasStatus_t mublasSetPointerMode(mublasHandle_t handle, mublasPointerMode_t mode);
mublasStatus_t mublasGetPointerMode(mublasHandle_t handle, mublasPointerMode_t* mode);
mublasStatus_t mublasSetAtomicsMode(mublasHandle_t handle, mublasAtomicsMode_t mode);
mublasStatus_t mublasGetAtomicsMode(mublasHandle_t handle, mublasAtomicsMode_t* mode);
mublasStatus_t mublasSetMathMode(mublasHandle_t handle, mublasMath_t mode);
mublasStatus_t mublasGetMathMode(mublasHandle_t handle, mublasMath_t* mode);

mublasStatus_t mublasSaxpy(mublasHandle_t handle, mublas_int n, const float* alpha, const float* x,
                           mublas_int incx, float* y, mublas_int incy);
mublasStatus_t mublasDaxpy(mublasHandle_t handle, mublas_int n, const double* alpha,
                           const double* x, mublas_int incx, double* y, mublas_int incy);
mublasStatus_t mublasSscal(mublasHandle_t handle, mublas_int n, const float* alpha, float* x,
                           mublas_int incx);
mublasStatus_t mublasDscal(mublasHandle_t handle, mublas_int n, const double* alpha, double* x,
                           mublas_int incx);
mublasStatus_t mublasSdot(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                          const float* y, mublas_int incy, float* result);
mublasStatus_t mublasDdot(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                          const double* y, mublas_int incy, double* result);
mublasStatus_t mublasSnrm2(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                           float* result);
mublasStatus_t mublasDnrm2(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                           double* result);
mublasStatus_t mublasSgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const float* alpha, const float* A, mublas_int lda,
                           const float* x, mublas_int incx, const float* beta, float* y,
                           mublas_int incy);
mublasStatus_t mublasDgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const double* alpha, const double* A, mublas_int lda,
                           const double* x, mublas_int incx, const double* beta, double* y,
                           mublas_int incy);
mublasStatus_t mublasSgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const float* alpha, const float* A, mublas_int lda, const float* B,
                           mublas_int ldb, const float* beta, float* C, mublas_int ldc);
mublasStatus_t mublasDgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const double* alpha, const double* A, mublas_int lda, const double* B,
                           mublas_int ldb, const double* beta, double* C, mublas_int ldc);

/* Half precision, and a matrix product of complex numbers by themselves. A real mublas.h declares
 * the half functions for mcc only; the library exports them all the same (zml/xla: mublas_shim.cc).
 */
mublasStatus_t mublasHgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const __half* alpha, const __half* A, mublas_int lda, const __half* B,
                           mublas_int ldb, const __half* beta, __half* C, mublas_int ldc);
mublasStatus_t mublasHgemmBatched(mublasHandle_t handle, mublasOperation_t transA,
                                  mublasOperation_t transB, mublas_int m, mublas_int n,
                                  mublas_int k, const __half* alpha, const __half* const* A,
                                  mublas_int lda, const __half* const* B, mublas_int ldb,
                                  const __half* beta, __half* const* C, mublas_int ldc,
                                  mublas_int batchCount);
mublasStatus_t mublasHgemmStridedBatched(mublasHandle_t handle, mublasOperation_t transA,
                                         mublasOperation_t transB, mublas_int m, mublas_int n,
                                         mublas_int k, const __half* alpha, const __half* A,
                                         mublas_int lda, long long strideA, const __half* B,
                                         mublas_int ldb, long long strideB, const __half* beta,
                                         __half* C, mublas_int ldc, long long strideC,
                                         mublas_int batchCount);
mublasStatus_t mublasCsyrkEx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                             mublas_int n, mublas_int k, const muComplex* alpha, const void* A,
                             musaDataType_t Atype, mublas_int lda, const muComplex* beta, void* C,
                             musaDataType_t Ctype, mublas_int ldc);

#ifdef __cplusplus
}

/* Exported under their C++ names (MooreThreads/paddle_musa: mublas_dynload.h). Whether C has them
 * under a plain name is not known. The second of each takes the compute type as a data type, as
 * ggml and others call it.
 */
mublasStatus_t mublasGemmEx(mublasHandle_t handle, mublasOperation_t transA,
                            mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                            const void* alpha, const void* A, musaDataType_t Atype, mublas_int lda,
                            const void* B, musaDataType_t Btype, mublas_int ldb, const void* beta,
                            void* C, musaDataType_t Ctype, mublas_int ldc,
                            mublasComputeType_t computeType, mublasGemmAlgo_t algo);
mublasStatus_t mublasGemmBatchedEx(mublasHandle_t handle, mublasOperation_t transA,
                                   mublasOperation_t transB, mublas_int m, mublas_int n,
                                   mublas_int k, const void* alpha, const void* const* A,
                                   musaDataType_t Atype, mublas_int lda, const void* const* B,
                                   musaDataType_t Btype, mublas_int ldb, const void* beta,
                                   void* const* C, musaDataType_t Ctype, mublas_int ldc,
                                   mublas_int batchCount, mublasComputeType_t computeType,
                                   mublasGemmAlgo_t algo);
mublasStatus_t mublasGemmStridedBatchedEx(mublasHandle_t handle, mublasOperation_t transA,
                                          mublasOperation_t transB, mublas_int m, mublas_int n,
                                          mublas_int k, const void* alpha, const void* A,
                                          musaDataType_t Atype, mublas_int lda, long long strideA,
                                          const void* B, musaDataType_t Btype, mublas_int ldb,
                                          long long strideB, const void* beta, void* C,
                                          musaDataType_t Ctype, mublas_int ldc, long long strideC,
                                          mublas_int batchCount, mublasComputeType_t computeType,
                                          mublasGemmAlgo_t algo);
mublasStatus_t mublasGemmEx(mublasHandle_t handle, mublasOperation_t transA,
                            mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                            const void* alpha, const void* A, musaDataType_t Atype, mublas_int lda,
                            const void* B, musaDataType_t Btype, mublas_int ldb, const void* beta,
                            void* C, musaDataType_t Ctype, mublas_int ldc,
                            musaDataType_t computeType, mublasGemmAlgo_t algo);
mublasStatus_t mublasGemmBatchedEx(mublasHandle_t handle, mublasOperation_t transA,
                                   mublasOperation_t transB, mublas_int m, mublas_int n,
                                   mublas_int k, const void* alpha, const void* const* A,
                                   musaDataType_t Atype, mublas_int lda, const void* const* B,
                                   musaDataType_t Btype, mublas_int ldb, const void* beta,
                                   void* const* C, musaDataType_t Ctype, mublas_int ldc,
                                   mublas_int batchCount, musaDataType_t computeType,
                                   mublasGemmAlgo_t algo);
mublasStatus_t mublasGemmStridedBatchedEx(
    mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,
    mublas_int n, mublas_int k, const void* alpha, const void* A, musaDataType_t Atype,
    mublas_int lda, long long strideA, const void* B, musaDataType_t Btype, mublas_int ldb,
    long long strideB, const void* beta, void* C, musaDataType_t Ctype, mublas_int ldc,
    long long strideC, mublas_int batchCount, musaDataType_t computeType, mublasGemmAlgo_t algo);
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif /* MUBLAS_H_ */
