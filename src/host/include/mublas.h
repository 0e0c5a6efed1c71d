/* muBLAS 1.10.6 (MUSA SDK 5.1), from public evidence only. Types and their sources are in
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
 *   MooreThreads/elpa-musa: src/GPU/MUSA/musaFunctions_template.h
 *                                                (dotc, trmm with separate B and C, trmv, herk)
 *   zml/xla: xla/stream_executor/musa/mublas_shim/mublas_shim.cc
 *                                                (scal of every type, trsm, trsmBatched)
 *   wudi0717/xla: xla/stream_executor/musa/mublas_wrapper.h
 *                                                (declares the rest of levels 1 to 3, geam, dgmm;
 *                                                their arguments are assumed)
 *
 * Assumed, because no public source states it: the format of mublasGetVersion's number
 * (major * 10000 + minor * 100 + patch, as in the MUSA runtime), and the texts of
 * mublasGetStatusString (the names of the members). Functions known only by name take the arguments
 * of the BLAS of CUDA 12.x; every function whose arguments are known agrees with it.
 */
#ifndef MUBLAS_H_
#define MUBLAS_H_

#include <muComplex.h>
#include <musa_fp16.h>
#include <musa_runtime_api.h>
#include <stddef.h>

#include "internal/mublas_types.h"
#include "internal/mublas_version.h"

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
mublasStatus_t mublasSetWorkspace(mublasHandle_t handle, void* workspace,
                                  size_t workspaceSizeInBytes);
/* Assumed to be the same as mublasSetStream. */
mublasStatus_t mublasSetKernelStream(mublasHandle_t handle, musaStream_t stream);

/* Copies between host and device. */
mublasStatus_t mublasSetVectorAsync(mublas_int n, mublas_int elemSize, const void* hostPtr,
                                    mublas_int incx, void* devicePtr, mublas_int incy,
                                    musaStream_t stream);
mublasStatus_t mublasGetVectorAsync(mublas_int n, mublas_int elemSize, const void* devicePtr,
                                    mublas_int incx, void* hostPtr, mublas_int incy,
                                    musaStream_t stream);
mublasStatus_t mublasSetMatrixAsync(mublas_int rows, mublas_int cols, mublas_int elemSize,
                                    const void* A, mublas_int lda, void* B, mublas_int ldb,
                                    musaStream_t stream);
mublasStatus_t mublasGetMatrixAsync(mublas_int rows, mublas_int cols, mublas_int elemSize,
                                    const void* A, mublas_int lda, void* B, mublas_int ldb,
                                    musaStream_t stream);

/* Level 1: vectors. */
mublasStatus_t mublasSaxpy(mublasHandle_t handle, mublas_int n, const float* alpha, const float* x,
                           mublas_int incx, float* y, mublas_int incy);
mublasStatus_t mublasDaxpy(mublasHandle_t handle, mublas_int n, const double* alpha,
                           const double* x, mublas_int incx, double* y, mublas_int incy);
mublasStatus_t mublasCaxpy(mublasHandle_t handle, mublas_int n, const muComplex* alpha,
                           const muComplex* x, mublas_int incx, muComplex* y, mublas_int incy);
mublasStatus_t mublasZaxpy(mublasHandle_t handle, mublas_int n, const muDoubleComplex* alpha,
                           const muDoubleComplex* x, mublas_int incx, muDoubleComplex* y,
                           mublas_int incy);
mublasStatus_t mublasScopy(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                           float* y, mublas_int incy);
mublasStatus_t mublasDcopy(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                           double* y, mublas_int incy);
mublasStatus_t mublasCcopy(mublasHandle_t handle, mublas_int n, const muComplex* x, mublas_int incx,
                           muComplex* y, mublas_int incy);
mublasStatus_t mublasZcopy(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                           mublas_int incx, muDoubleComplex* y, mublas_int incy);
mublasStatus_t mublasSswap(mublasHandle_t handle, mublas_int n, float* x, mublas_int incx, float* y,
                           mublas_int incy);
mublasStatus_t mublasDswap(mublasHandle_t handle, mublas_int n, double* x, mublas_int incx,
                           double* y, mublas_int incy);
mublasStatus_t mublasCswap(mublasHandle_t handle, mublas_int n, muComplex* x, mublas_int incx,
                           muComplex* y, mublas_int incy);
mublasStatus_t mublasZswap(mublasHandle_t handle, mublas_int n, muDoubleComplex* x, mublas_int incx,
                           muDoubleComplex* y, mublas_int incy);
mublasStatus_t mublasSscal(mublasHandle_t handle, mublas_int n, const float* alpha, float* x,
                           mublas_int incx);
mublasStatus_t mublasDscal(mublasHandle_t handle, mublas_int n, const double* alpha, double* x,
                           mublas_int incx);
mublasStatus_t mublasCscal(mublasHandle_t handle, mublas_int n, const muComplex* alpha,
                           muComplex* x, mublas_int incx);
mublasStatus_t mublasZscal(mublasHandle_t handle, mublas_int n, const muDoubleComplex* alpha,
                           muDoubleComplex* x, mublas_int incx);
mublasStatus_t mublasCsscal(mublasHandle_t handle, mublas_int n, const float* alpha, muComplex* x,
                            mublas_int incx);
mublasStatus_t mublasZdscal(mublasHandle_t handle, mublas_int n, const double* alpha,
                            muDoubleComplex* x, mublas_int incx);
mublasStatus_t mublasSdot(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                          const float* y, mublas_int incy, float* result);
mublasStatus_t mublasDdot(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                          const double* y, mublas_int incy, double* result);
mublasStatus_t mublasCdotu(mublasHandle_t handle, mublas_int n, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* result);
mublasStatus_t mublasZdotu(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                           mublas_int incx, const muDoubleComplex* y, mublas_int incy,
                           muDoubleComplex* result);
mublasStatus_t mublasCdotc(mublasHandle_t handle, mublas_int n, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* result);
mublasStatus_t mublasZdotc(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                           mublas_int incx, const muDoubleComplex* y, mublas_int incy,
                           muDoubleComplex* result);
mublasStatus_t mublasSnrm2(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                           float* result);
mublasStatus_t mublasDnrm2(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                           double* result);
mublasStatus_t mublasScnrm2(mublasHandle_t handle, mublas_int n, const muComplex* x,
                            mublas_int incx, float* result);
mublasStatus_t mublasDznrm2(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                            mublas_int incx, double* result);
mublasStatus_t mublasSasum(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                           float* result);
mublasStatus_t mublasDasum(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                           double* result);
mublasStatus_t mublasScasum(mublasHandle_t handle, mublas_int n, const muComplex* x,
                            mublas_int incx, float* result);
mublasStatus_t mublasDzasum(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                            mublas_int incx, double* result);
mublasStatus_t mublasIsamax(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                            mublas_int* result);
mublasStatus_t mublasIdamax(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                            mublas_int* result);
mublasStatus_t mublasIcamax(mublasHandle_t handle, mublas_int n, const muComplex* x,
                            mublas_int incx, mublas_int* result);
mublasStatus_t mublasIzamax(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                            mublas_int incx, mublas_int* result);
mublasStatus_t mublasIsamin(mublasHandle_t handle, mublas_int n, const float* x, mublas_int incx,
                            mublas_int* result);
mublasStatus_t mublasIdamin(mublasHandle_t handle, mublas_int n, const double* x, mublas_int incx,
                            mublas_int* result);
mublasStatus_t mublasIcamin(mublasHandle_t handle, mublas_int n, const muComplex* x,
                            mublas_int incx, mublas_int* result);
mublasStatus_t mublasIzamin(mublasHandle_t handle, mublas_int n, const muDoubleComplex* x,
                            mublas_int incx, mublas_int* result);

/* Level 1: rotations. */
mublasStatus_t mublasSrot(mublasHandle_t handle, mublas_int n, float* x, mublas_int incx, float* y,
                          mublas_int incy, const float* c, const float* s);
mublasStatus_t mublasDrot(mublasHandle_t handle, mublas_int n, double* x, mublas_int incx,
                          double* y, mublas_int incy, const double* c, const double* s);
mublasStatus_t mublasCrot(mublasHandle_t handle, mublas_int n, muComplex* x, mublas_int incx,
                          muComplex* y, mublas_int incy, const float* c, const muComplex* s);
mublasStatus_t mublasZrot(mublasHandle_t handle, mublas_int n, muDoubleComplex* x, mublas_int incx,
                          muDoubleComplex* y, mublas_int incy, const double* c,
                          const muDoubleComplex* s);
mublasStatus_t mublasCsrot(mublasHandle_t handle, mublas_int n, muComplex* x, mublas_int incx,
                           muComplex* y, mublas_int incy, const float* c, const float* s);
mublasStatus_t mublasZdrot(mublasHandle_t handle, mublas_int n, muDoubleComplex* x, mublas_int incx,
                           muDoubleComplex* y, mublas_int incy, const double* c, const double* s);
mublasStatus_t mublasSrotg(mublasHandle_t handle, float* a, float* b, float* c, float* s);
mublasStatus_t mublasDrotg(mublasHandle_t handle, double* a, double* b, double* c, double* s);
mublasStatus_t mublasCrotg(mublasHandle_t handle, muComplex* a, muComplex* b, float* c,
                           muComplex* s);
mublasStatus_t mublasZrotg(mublasHandle_t handle, muDoubleComplex* a, muDoubleComplex* b, double* c,
                           muDoubleComplex* s);
mublasStatus_t mublasSrotm(mublasHandle_t handle, mublas_int n, float* x, mublas_int incx, float* y,
                           mublas_int incy, const float* param);
mublasStatus_t mublasDrotm(mublasHandle_t handle, mublas_int n, double* x, mublas_int incx,
                           double* y, mublas_int incy, const double* param);
mublasStatus_t mublasSrotmg(mublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1,
                            float* param);
mublasStatus_t mublasDrotmg(mublasHandle_t handle, double* d1, double* d2, double* x1,
                            const double* y1, double* param);

/* Level 2: products of a matrix and a vector. */
mublasStatus_t mublasSgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const float* alpha, const float* A, mublas_int lda,
                           const float* x, mublas_int incx, const float* beta, float* y,
                           mublas_int incy);
mublasStatus_t mublasDgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const double* alpha, const double* A, mublas_int lda,
                           const double* x, mublas_int incx, const double* beta, double* y,
                           mublas_int incy);
mublasStatus_t mublasCgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* x, mublas_int incx, const muComplex* beta, muComplex* y,
                           mublas_int incy);
mublasStatus_t mublasZgemv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, const muDoubleComplex* alpha, const muDoubleComplex* A,
                           mublas_int lda, const muDoubleComplex* x, mublas_int incx,
                           const muDoubleComplex* beta, muDoubleComplex* y, mublas_int incy);
mublasStatus_t mublasSgbmv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, mublas_int kl, mublas_int ku, const float* alpha,
                           const float* A, mublas_int lda, const float* x, mublas_int incx,
                           const float* beta, float* y, mublas_int incy);
mublasStatus_t mublasDgbmv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, mublas_int kl, mublas_int ku, const double* alpha,
                           const double* A, mublas_int lda, const double* x, mublas_int incx,
                           const double* beta, double* y, mublas_int incy);
mublasStatus_t mublasCgbmv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, mublas_int kl, mublas_int ku, const muComplex* alpha,
                           const muComplex* A, mublas_int lda, const muComplex* x, mublas_int incx,
                           const muComplex* beta, muComplex* y, mublas_int incy);
mublasStatus_t mublasZgbmv(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                           mublas_int n, mublas_int kl, mublas_int ku, const muDoubleComplex* alpha,
                           const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* x,
                           mublas_int incx, const muDoubleComplex* beta, muDoubleComplex* y,
                           mublas_int incy);
mublasStatus_t mublasSsymv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const float* alpha, const float* A, mublas_int lda, const float* x,
                           mublas_int incx, const float* beta, float* y, mublas_int incy);
mublasStatus_t mublasDsymv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const double* alpha, const double* A, mublas_int lda, const double* x,
                           mublas_int incx, const double* beta, double* y, mublas_int incy);
mublasStatus_t mublasCsymv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* x, mublas_int incx, const muComplex* beta, muComplex* y,
                           mublas_int incy);
mublasStatus_t mublasZsymv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* A, mublas_int lda,
                           const muDoubleComplex* x, mublas_int incx, const muDoubleComplex* beta,
                           muDoubleComplex* y, mublas_int incy);
mublasStatus_t mublasChemv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* x, mublas_int incx, const muComplex* beta, muComplex* y,
                           mublas_int incy);
mublasStatus_t mublasZhemv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* A, mublas_int lda,
                           const muDoubleComplex* x, mublas_int incx, const muDoubleComplex* beta,
                           muDoubleComplex* y, mublas_int incy);
mublasStatus_t mublasSsbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, mublas_int k,
                           const float* alpha, const float* A, mublas_int lda, const float* x,
                           mublas_int incx, const float* beta, float* y, mublas_int incy);
mublasStatus_t mublasDsbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, mublas_int k,
                           const double* alpha, const double* A, mublas_int lda, const double* x,
                           mublas_int incx, const double* beta, double* y, mublas_int incy);
mublasStatus_t mublasChbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, mublas_int k,
                           const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* x, mublas_int incx, const muComplex* beta, muComplex* y,
                           mublas_int incy);
mublasStatus_t mublasZhbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, mublas_int k,
                           const muDoubleComplex* alpha, const muDoubleComplex* A, mublas_int lda,
                           const muDoubleComplex* x, mublas_int incx, const muDoubleComplex* beta,
                           muDoubleComplex* y, mublas_int incy);
mublasStatus_t mublasSspmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const float* alpha, const float* AP, const float* x, mublas_int incx,
                           const float* beta, float* y, mublas_int incy);
mublasStatus_t mublasDspmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const double* alpha, const double* AP, const double* x, mublas_int incx,
                           const double* beta, double* y, mublas_int incy);
mublasStatus_t mublasChpmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muComplex* alpha, const muComplex* AP, const muComplex* x,
                           mublas_int incx, const muComplex* beta, muComplex* y, mublas_int incy);
mublasStatus_t mublasZhpmv(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* AP,
                           const muDoubleComplex* x, mublas_int incx, const muDoubleComplex* beta,
                           muDoubleComplex* y, mublas_int incy);

/* Level 2: rank updates. */
mublasStatus_t mublasSger(mublasHandle_t handle, mublas_int m, mublas_int n, const float* alpha,
                          const float* x, mublas_int incx, const float* y, mublas_int incy,
                          float* A, mublas_int lda);
mublasStatus_t mublasDger(mublasHandle_t handle, mublas_int m, mublas_int n, const double* alpha,
                          const double* x, mublas_int incx, const double* y, mublas_int incy,
                          double* A, mublas_int lda);
mublasStatus_t mublasCgeru(mublasHandle_t handle, mublas_int m, mublas_int n,
                           const muComplex* alpha, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* A, mublas_int lda);
mublasStatus_t mublasZgeru(mublasHandle_t handle, mublas_int m, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* x, mublas_int incx,
                           const muDoubleComplex* y, mublas_int incy, muDoubleComplex* A,
                           mublas_int lda);
mublasStatus_t mublasCgerc(mublasHandle_t handle, mublas_int m, mublas_int n,
                           const muComplex* alpha, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* A, mublas_int lda);
mublasStatus_t mublasZgerc(mublasHandle_t handle, mublas_int m, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* x, mublas_int incx,
                           const muDoubleComplex* y, mublas_int incy, muDoubleComplex* A,
                           mublas_int lda);
mublasStatus_t mublasSsyr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const float* alpha, const float* x, mublas_int incx, float* A,
                          mublas_int lda);
mublasStatus_t mublasDsyr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const double* alpha, const double* x, mublas_int incx, double* A,
                          mublas_int lda);
mublasStatus_t mublasCsyr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const muComplex* alpha, const muComplex* x, mublas_int incx, muComplex* A,
                          mublas_int lda);
mublasStatus_t mublasZsyr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const muDoubleComplex* alpha, const muDoubleComplex* x, mublas_int incx,
                          muDoubleComplex* A, mublas_int lda);
mublasStatus_t mublasCher(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const float* alpha, const muComplex* x, mublas_int incx, muComplex* A,
                          mublas_int lda);
mublasStatus_t mublasZher(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const double* alpha, const muDoubleComplex* x, mublas_int incx,
                          muDoubleComplex* A, mublas_int lda);
mublasStatus_t mublasSspr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const float* alpha, const float* x, mublas_int incx, float* AP);
mublasStatus_t mublasDspr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const double* alpha, const double* x, mublas_int incx, double* AP);
mublasStatus_t mublasChpr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const float* alpha, const muComplex* x, mublas_int incx, muComplex* AP);
mublasStatus_t mublasZhpr(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                          const double* alpha, const muDoubleComplex* x, mublas_int incx,
                          muDoubleComplex* AP);
mublasStatus_t mublasSsyr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const float* alpha, const float* x, mublas_int incx, const float* y,
                           mublas_int incy, float* A, mublas_int lda);
mublasStatus_t mublasDsyr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const double* alpha, const double* x, mublas_int incx, const double* y,
                           mublas_int incy, double* A, mublas_int lda);
mublasStatus_t mublasCsyr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muComplex* alpha, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* A, mublas_int lda);
mublasStatus_t mublasZsyr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* x, mublas_int incx,
                           const muDoubleComplex* y, mublas_int incy, muDoubleComplex* A,
                           mublas_int lda);
mublasStatus_t mublasCher2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muComplex* alpha, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* A, mublas_int lda);
mublasStatus_t mublasZher2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* x, mublas_int incx,
                           const muDoubleComplex* y, mublas_int incy, muDoubleComplex* A,
                           mublas_int lda);
mublasStatus_t mublasSspr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const float* alpha, const float* x, mublas_int incx, const float* y,
                           mublas_int incy, float* AP);
mublasStatus_t mublasDspr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const double* alpha, const double* x, mublas_int incx, const double* y,
                           mublas_int incy, double* AP);
mublasStatus_t mublasChpr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muComplex* alpha, const muComplex* x, mublas_int incx,
                           const muComplex* y, mublas_int incy, muComplex* AP);
mublasStatus_t mublasZhpr2(mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* x, mublas_int incx,
                           const muDoubleComplex* y, mublas_int incy, muDoubleComplex* AP);

/* Level 2: triangular matrices. */
mublasStatus_t mublasStrmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const float* A, mublas_int lda,
                           float* x, mublas_int incx);
mublasStatus_t mublasDtrmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const double* A, mublas_int lda,
                           double* x, mublas_int incx);
mublasStatus_t mublasCtrmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muComplex* A, mublas_int lda,
                           muComplex* x, mublas_int incx);
mublasStatus_t mublasZtrmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muDoubleComplex* A,
                           mublas_int lda, muDoubleComplex* x, mublas_int incx);
mublasStatus_t mublasStrsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const float* A, mublas_int lda,
                           float* x, mublas_int incx);
mublasStatus_t mublasDtrsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const double* A, mublas_int lda,
                           double* x, mublas_int incx);
mublasStatus_t mublasCtrsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muComplex* A, mublas_int lda,
                           muComplex* x, mublas_int incx);
mublasStatus_t mublasZtrsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muDoubleComplex* A,
                           mublas_int lda, muDoubleComplex* x, mublas_int incx);
mublasStatus_t mublasStbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k, const float* A,
                           mublas_int lda, float* x, mublas_int incx);
mublasStatus_t mublasDtbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k, const double* A,
                           mublas_int lda, double* x, mublas_int incx);
mublasStatus_t mublasCtbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k, const muComplex* A,
                           mublas_int lda, muComplex* x, mublas_int incx);
mublasStatus_t mublasZtbmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k,
                           const muDoubleComplex* A, mublas_int lda, muDoubleComplex* x,
                           mublas_int incx);
mublasStatus_t mublasStbsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k, const float* A,
                           mublas_int lda, float* x, mublas_int incx);
mublasStatus_t mublasDtbsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k, const double* A,
                           mublas_int lda, double* x, mublas_int incx);
mublasStatus_t mublasCtbsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k, const muComplex* A,
                           mublas_int lda, muComplex* x, mublas_int incx);
mublasStatus_t mublasZtbsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, mublas_int k,
                           const muDoubleComplex* A, mublas_int lda, muDoubleComplex* x,
                           mublas_int incx);
mublasStatus_t mublasStpmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const float* AP, float* x,
                           mublas_int incx);
mublasStatus_t mublasDtpmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const double* AP, double* x,
                           mublas_int incx);
mublasStatus_t mublasCtpmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muComplex* AP, muComplex* x,
                           mublas_int incx);
mublasStatus_t mublasZtpmv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muDoubleComplex* AP,
                           muDoubleComplex* x, mublas_int incx);
mublasStatus_t mublasStpsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const float* AP, float* x,
                           mublas_int incx);
mublasStatus_t mublasDtpsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const double* AP, double* x,
                           mublas_int incx);
mublasStatus_t mublasCtpsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muComplex* AP, muComplex* x,
                           mublas_int incx);
mublasStatus_t mublasZtpsv(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublasDiagType_t diag, mublas_int n, const muDoubleComplex* AP,
                           muDoubleComplex* x, mublas_int incx);

/* Level 3. */
mublasStatus_t mublasSgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const float* alpha, const float* A, mublas_int lda, const float* B,
                           mublas_int ldb, const float* beta, float* C, mublas_int ldc);
mublasStatus_t mublasDgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const double* alpha, const double* A, mublas_int lda, const double* B,
                           mublas_int ldb, const double* beta, double* C, mublas_int ldc);
mublasStatus_t mublasCgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* B, mublas_int ldb, const muComplex* beta, muComplex* C,
                           mublas_int ldc);
mublasStatus_t mublasZgemm(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, mublas_int k,
                           const muDoubleComplex* alpha, const muDoubleComplex* A, mublas_int lda,
                           const muDoubleComplex* B, mublas_int ldb, const muDoubleComplex* beta,
                           muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasSsymm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublas_int m, mublas_int n, const float* alpha, const float* A,
                           mublas_int lda, const float* B, mublas_int ldb, const float* beta,
                           float* C, mublas_int ldc);
mublasStatus_t mublasDsymm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublas_int m, mublas_int n, const double* alpha, const double* A,
                           mublas_int lda, const double* B, mublas_int ldb, const double* beta,
                           double* C, mublas_int ldc);
mublasStatus_t mublasCsymm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublas_int m, mublas_int n, const muComplex* alpha, const muComplex* A,
                           mublas_int lda, const muComplex* B, mublas_int ldb,
                           const muComplex* beta, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZsymm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublas_int m, mublas_int n, const muDoubleComplex* alpha,
                           const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* B,
                           mublas_int ldb, const muDoubleComplex* beta, muDoubleComplex* C,
                           mublas_int ldc);
mublasStatus_t mublasChemm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublas_int m, mublas_int n, const muComplex* alpha, const muComplex* A,
                           mublas_int lda, const muComplex* B, mublas_int ldb,
                           const muComplex* beta, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZhemm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublas_int m, mublas_int n, const muDoubleComplex* alpha,
                           const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* B,
                           mublas_int ldb, const muDoubleComplex* beta, muDoubleComplex* C,
                           mublas_int ldc);
mublasStatus_t mublasSsyrk(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublas_int n, mublas_int k, const float* alpha, const float* A,
                           mublas_int lda, const float* beta, float* C, mublas_int ldc);
mublasStatus_t mublasDsyrk(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublas_int n, mublas_int k, const double* alpha, const double* A,
                           mublas_int lda, const double* beta, double* C, mublas_int ldc);
mublasStatus_t mublasCsyrk(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublas_int n, mublas_int k, const muComplex* alpha, const muComplex* A,
                           mublas_int lda, const muComplex* beta, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZsyrk(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublas_int n, mublas_int k, const muDoubleComplex* alpha,
                           const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* beta,
                           muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasCherk(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublas_int n, mublas_int k, const float* alpha, const muComplex* A,
                           mublas_int lda, const float* beta, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZherk(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                           mublas_int n, mublas_int k, const double* alpha,
                           const muDoubleComplex* A, mublas_int lda, const double* beta,
                           muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasSsyr2k(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const float* alpha, const float* A,
                            mublas_int lda, const float* B, mublas_int ldb, const float* beta,
                            float* C, mublas_int ldc);
mublasStatus_t mublasDsyr2k(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const double* alpha, const double* A,
                            mublas_int lda, const double* B, mublas_int ldb, const double* beta,
                            double* C, mublas_int ldc);
mublasStatus_t mublasCsyr2k(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muComplex* alpha, const muComplex* A,
                            mublas_int lda, const muComplex* B, mublas_int ldb,
                            const muComplex* beta, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZsyr2k(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muDoubleComplex* alpha,
                            const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* B,
                            mublas_int ldb, const muDoubleComplex* beta, muDoubleComplex* C,
                            mublas_int ldc);
mublasStatus_t mublasSsyrkx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const float* alpha, const float* A,
                            mublas_int lda, const float* B, mublas_int ldb, const float* beta,
                            float* C, mublas_int ldc);
mublasStatus_t mublasDsyrkx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const double* alpha, const double* A,
                            mublas_int lda, const double* B, mublas_int ldb, const double* beta,
                            double* C, mublas_int ldc);
mublasStatus_t mublasCsyrkx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muComplex* alpha, const muComplex* A,
                            mublas_int lda, const muComplex* B, mublas_int ldb,
                            const muComplex* beta, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZsyrkx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muDoubleComplex* alpha,
                            const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* B,
                            mublas_int ldb, const muDoubleComplex* beta, muDoubleComplex* C,
                            mublas_int ldc);
mublasStatus_t mublasCher2k(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muComplex* alpha, const muComplex* A,
                            mublas_int lda, const muComplex* B, mublas_int ldb, const float* beta,
                            muComplex* C, mublas_int ldc);
mublasStatus_t mublasZher2k(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muDoubleComplex* alpha,
                            const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* B,
                            mublas_int ldb, const double* beta, muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasCherkx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muComplex* alpha, const muComplex* A,
                            mublas_int lda, const muComplex* B, mublas_int ldb, const float* beta,
                            muComplex* C, mublas_int ldc);
mublasStatus_t mublasZherkx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                            mublas_int n, mublas_int k, const muDoubleComplex* alpha,
                            const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* B,
                            mublas_int ldb, const double* beta, muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasStrmm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const float* alpha, const float* A, mublas_int lda,
                           const float* B, mublas_int ldb, float* C, mublas_int ldc);
mublasStatus_t mublasDtrmm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const double* alpha, const double* A, mublas_int lda,
                           const double* B, mublas_int ldb, double* C, mublas_int ldc);
mublasStatus_t mublasCtrmm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* B, mublas_int ldb, muComplex* C, mublas_int ldc);
mublasStatus_t mublasZtrmm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const muDoubleComplex* alpha, const muDoubleComplex* A,
                           mublas_int lda, const muDoubleComplex* B, mublas_int ldb,
                           muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasStrsm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const float* alpha, const float* A, mublas_int lda,
                           float* B, mublas_int ldb);
mublasStatus_t mublasDtrsm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const double* alpha, const double* A, mublas_int lda,
                           double* B, mublas_int ldb);
mublasStatus_t mublasCtrsm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const muComplex* alpha, const muComplex* A, mublas_int lda,
                           muComplex* B, mublas_int ldb);
mublasStatus_t mublasZtrsm(mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo,
                           mublasOperation_t trans, mublasDiagType_t diag, mublas_int m,
                           mublas_int n, const muDoubleComplex* alpha, const muDoubleComplex* A,
                           mublas_int lda, muDoubleComplex* B, mublas_int ldb);

/* Beyond BLAS. */
mublasStatus_t mublasSgeam(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n, const float* alpha,
                           const float* A, mublas_int lda, const float* beta, const float* B,
                           mublas_int ldb, float* C, mublas_int ldc);
mublasStatus_t mublasDgeam(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n,
                           const double* alpha, const double* A, mublas_int lda, const double* beta,
                           const double* B, mublas_int ldb, double* C, mublas_int ldc);
mublasStatus_t mublasCgeam(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n,
                           const muComplex* alpha, const muComplex* A, mublas_int lda,
                           const muComplex* beta, const muComplex* B, mublas_int ldb, muComplex* C,
                           mublas_int ldc);
mublasStatus_t mublasZgeam(mublasHandle_t handle, mublasOperation_t transA,
                           mublasOperation_t transB, mublas_int m, mublas_int n,
                           const muDoubleComplex* alpha, const muDoubleComplex* A, mublas_int lda,
                           const muDoubleComplex* beta, const muDoubleComplex* B, mublas_int ldb,
                           muDoubleComplex* C, mublas_int ldc);
mublasStatus_t mublasSdgmm(mublasHandle_t handle, mublasSideMode_t side, mublas_int m, mublas_int n,
                           const float* A, mublas_int lda, const float* x, mublas_int incx,
                           float* C, mublas_int ldc);
mublasStatus_t mublasDdgmm(mublasHandle_t handle, mublasSideMode_t side, mublas_int m, mublas_int n,
                           const double* A, mublas_int lda, const double* x, mublas_int incx,
                           double* C, mublas_int ldc);
mublasStatus_t mublasCdgmm(mublasHandle_t handle, mublasSideMode_t side, mublas_int m, mublas_int n,
                           const muComplex* A, mublas_int lda, const muComplex* x, mublas_int incx,
                           muComplex* C, mublas_int ldc);
mublasStatus_t mublasZdgmm(mublasHandle_t handle, mublasSideMode_t side, mublas_int m, mublas_int n,
                           const muDoubleComplex* A, mublas_int lda, const muDoubleComplex* x,
                           mublas_int incx, muDoubleComplex* C, mublas_int ldc);

/* Batches: arrays of pointers, and equal strides. */
mublasStatus_t mublasSgemvBatched(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                                  mublas_int n, const float* alpha, const float* const* Aarray,
                                  mublas_int lda, const float* const* xarray, mublas_int incx,
                                  const float* beta, float* const* yarray, mublas_int incy,
                                  mublas_int batchCount);
mublasStatus_t mublasDgemvBatched(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                                  mublas_int n, const double* alpha, const double* const* Aarray,
                                  mublas_int lda, const double* const* xarray, mublas_int incx,
                                  const double* beta, double* const* yarray, mublas_int incy,
                                  mublas_int batchCount);
mublasStatus_t mublasCgemvBatched(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                                  mublas_int n, const muComplex* alpha,
                                  const muComplex* const* Aarray, mublas_int lda,
                                  const muComplex* const* xarray, mublas_int incx,
                                  const muComplex* beta, muComplex* const* yarray, mublas_int incy,
                                  mublas_int batchCount);
mublasStatus_t mublasZgemvBatched(mublasHandle_t handle, mublasOperation_t trans, mublas_int m,
                                  mublas_int n, const muDoubleComplex* alpha,
                                  const muDoubleComplex* const* Aarray, mublas_int lda,
                                  const muDoubleComplex* const* xarray, mublas_int incx,
                                  const muDoubleComplex* beta, muDoubleComplex* const* yarray,
                                  mublas_int incy, mublas_int batchCount);
mublasStatus_t mublasSgemvStridedBatched(mublasHandle_t handle, mublasOperation_t trans,
                                         mublas_int m, mublas_int n, const float* alpha,
                                         const float* A, mublas_int lda, long long strideA,
                                         const float* x, mublas_int incx, long long stridex,
                                         const float* beta, float* y, mublas_int incy,
                                         long long stridey, mublas_int batchCount);
mublasStatus_t mublasDgemvStridedBatched(mublasHandle_t handle, mublasOperation_t trans,
                                         mublas_int m, mublas_int n, const double* alpha,
                                         const double* A, mublas_int lda, long long strideA,
                                         const double* x, mublas_int incx, long long stridex,
                                         const double* beta, double* y, mublas_int incy,
                                         long long stridey, mublas_int batchCount);
mublasStatus_t mublasCgemvStridedBatched(mublasHandle_t handle, mublasOperation_t trans,
                                         mublas_int m, mublas_int n, const muComplex* alpha,
                                         const muComplex* A, mublas_int lda, long long strideA,
                                         const muComplex* x, mublas_int incx, long long stridex,
                                         const muComplex* beta, muComplex* y, mublas_int incy,
                                         long long stridey, mublas_int batchCount);
mublasStatus_t mublasZgemvStridedBatched(mublasHandle_t handle, mublasOperation_t trans,
                                         mublas_int m, mublas_int n, const muDoubleComplex* alpha,
                                         const muDoubleComplex* A, mublas_int lda,
                                         long long strideA, const muDoubleComplex* x,
                                         mublas_int incx, long long stridex,
                                         const muDoubleComplex* beta, muDoubleComplex* y,
                                         mublas_int incy, long long stridey, mublas_int batchCount);
mublasStatus_t mublasSgemmBatched(mublasHandle_t handle, mublasOperation_t transA,
                                  mublasOperation_t transB, mublas_int m, mublas_int n,
                                  mublas_int k, const float* alpha, const float* const* Aarray,
                                  mublas_int lda, const float* const* Barray, mublas_int ldb,
                                  const float* beta, float* const* Carray, mublas_int ldc,
                                  mublas_int batchCount);
mublasStatus_t mublasDgemmBatched(mublasHandle_t handle, mublasOperation_t transA,
                                  mublasOperation_t transB, mublas_int m, mublas_int n,
                                  mublas_int k, const double* alpha, const double* const* Aarray,
                                  mublas_int lda, const double* const* Barray, mublas_int ldb,
                                  const double* beta, double* const* Carray, mublas_int ldc,
                                  mublas_int batchCount);
mublasStatus_t mublasCgemmBatched(mublasHandle_t handle, mublasOperation_t transA,
                                  mublasOperation_t transB, mublas_int m, mublas_int n,
                                  mublas_int k, const muComplex* alpha,
                                  const muComplex* const* Aarray, mublas_int lda,
                                  const muComplex* const* Barray, mublas_int ldb,
                                  const muComplex* beta, muComplex* const* Carray, mublas_int ldc,
                                  mublas_int batchCount);
mublasStatus_t mublasZgemmBatched(mublasHandle_t handle, mublasOperation_t transA,
                                  mublasOperation_t transB, mublas_int m, mublas_int n,
                                  mublas_int k, const muDoubleComplex* alpha,
                                  const muDoubleComplex* const* Aarray, mublas_int lda,
                                  const muDoubleComplex* const* Barray, mublas_int ldb,
                                  const muDoubleComplex* beta, muDoubleComplex* const* Carray,
                                  mublas_int ldc, mublas_int batchCount);
mublasStatus_t mublasSgemmStridedBatched(mublasHandle_t handle, mublasOperation_t transA,
                                         mublasOperation_t transB, mublas_int m, mublas_int n,
                                         mublas_int k, const float* alpha, const float* A,
                                         mublas_int lda, long long strideA, const float* B,
                                         mublas_int ldb, long long strideB, const float* beta,
                                         float* C, mublas_int ldc, long long strideC,
                                         mublas_int batchCount);
mublasStatus_t mublasDgemmStridedBatched(mublasHandle_t handle, mublasOperation_t transA,
                                         mublasOperation_t transB, mublas_int m, mublas_int n,
                                         mublas_int k, const double* alpha, const double* A,
                                         mublas_int lda, long long strideA, const double* B,
                                         mublas_int ldb, long long strideB, const double* beta,
                                         double* C, mublas_int ldc, long long strideC,
                                         mublas_int batchCount);
mublasStatus_t mublasCgemmStridedBatched(mublasHandle_t handle, mublasOperation_t transA,
                                         mublasOperation_t transB, mublas_int m, mublas_int n,
                                         mublas_int k, const muComplex* alpha, const muComplex* A,
                                         mublas_int lda, long long strideA, const muComplex* B,
                                         mublas_int ldb, long long strideB, const muComplex* beta,
                                         muComplex* C, mublas_int ldc, long long strideC,
                                         mublas_int batchCount);
mublasStatus_t mublasZgemmStridedBatched(mublasHandle_t handle, mublasOperation_t transA,
                                         mublasOperation_t transB, mublas_int m, mublas_int n,
                                         mublas_int k, const muDoubleComplex* alpha,
                                         const muDoubleComplex* A, mublas_int lda,
                                         long long strideA, const muDoubleComplex* B,
                                         mublas_int ldb, long long strideB,
                                         const muDoubleComplex* beta, muDoubleComplex* C,
                                         mublas_int ldc, long long strideC, mublas_int batchCount);
mublasStatus_t mublasStrsmBatched(mublasHandle_t handle, mublasSideMode_t side,
                                  mublasFillMode_t uplo, mublasOperation_t trans,
                                  mublasDiagType_t diag, mublas_int m, mublas_int n,
                                  const float* alpha, const float* const* Aarray, mublas_int lda,
                                  float* const* Barray, mublas_int ldb, mublas_int batchCount);
mublasStatus_t mublasDtrsmBatched(mublasHandle_t handle, mublasSideMode_t side,
                                  mublasFillMode_t uplo, mublasOperation_t trans,
                                  mublasDiagType_t diag, mublas_int m, mublas_int n,
                                  const double* alpha, const double* const* Aarray, mublas_int lda,
                                  double* const* Barray, mublas_int ldb, mublas_int batchCount);
mublasStatus_t mublasCtrsmBatched(mublasHandle_t handle, mublasSideMode_t side,
                                  mublasFillMode_t uplo, mublasOperation_t trans,
                                  mublasDiagType_t diag, mublas_int m, mublas_int n,
                                  const muComplex* alpha, const muComplex* const* Aarray,
                                  mublas_int lda, muComplex* const* Barray, mublas_int ldb,
                                  mublas_int batchCount);
mublasStatus_t mublasZtrsmBatched(mublasHandle_t handle, mublasSideMode_t side,
                                  mublasFillMode_t uplo, mublasOperation_t trans,
                                  mublasDiagType_t diag, mublas_int m, mublas_int n,
                                  const muDoubleComplex* alpha,
                                  const muDoubleComplex* const* Aarray, mublas_int lda,
                                  muDoubleComplex* const* Barray, mublas_int ldb,
                                  mublas_int batchCount);

/* Half precision, and mublasCsyrkEx. A real mublas.h declares the half functions for mcc only; the
 * library exports them for everyone (zml/xla: mublas_shim.cc).
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

/* Exported under their C++ names (MooreThreads/paddle_musa: mublas_dynload.h). Whether plain C
 * names exist too is unknown. The second overload of each takes the compute type as a data type, as
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
