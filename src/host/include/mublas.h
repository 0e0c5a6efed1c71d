/* muBLAS 1.10.6 (MUSA SDK 5.1), from public evidence only. Types and their sources are in
 * internal/mublas_types.h.
 *
 * Functions transcribed by hand from:
 *   ZhaoShanBiounite/musapy: musa_x_ffi.rs and docs/sdk-3.1.0-musax-coverage.md
 *                                                (signatures; plain C names seen by nm in 3.1.0)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mublas_dynload.h
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/{MUSABlas.cpp,MublasHandlePool.cpp}
 *   MooreThreads/amgx-musa: the overloads over mublas (nrm2, dot, scal, copy argument lists)
 *   flagos-ai/KernelGenBench: docs/mublas.md, docs/mublas_fix.md
 *                                                (the check of names against 1.10.6)
 *   ggml-org/ggml: its vendor header musa.h      (mublasGetStatusString)
 *   MooreThreads/elpa-musa: src/GPU/MUSA/musaFunctions_template.h
 *                                                (dotc, trmm with separate B and C, trmv, herk)
 *   zml/xla: xla/stream_executor/musa/mublas_shim/mublas_shim.cc
 *                                                (scal of every type, trsm, trsmBatched)
 *   wudi0717/openxla: xla/stream_executor/musa/mublas_wrapper.h
 *                                                (declares the rest of levels 1 to 3, geam, dgmm;
 *                                                their arguments are assumed)
 *
 * Assumed, because no public source states it: the format of mublasGetVersion's number
 * (major * 10000 + minor * 100 + patch, as in the MUSA runtime), and the texts of
 * mublasGetStatusString (the names of the members). Functions known only by name take the arguments
 * of the BLAS of CUDA 12.x; every function whose arguments are known agrees with it.
 */
#pragma once

#include <muComplex.h>
#include <musa_fp16.h>
#include <musa_runtime_api.h>
#include <stddef.h>

#include "internal/mublas_types.h"
#include "internal/mublas_version.h"

#pragma GCC visibility push(default)

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

/* Functions of a family differ in their numbers T and the real numbers R of that size. */

/* Level 1: vectors. */
#define MUBLAS_ARGS_AXPY(T)                                                               \
  mublasHandle_t handle, mublas_int n, const T *alpha, const T *x, mublas_int incx, T *y, \
      mublas_int incy
mublasStatus_t mublasSaxpy(MUBLAS_ARGS_AXPY(float));
mublasStatus_t mublasDaxpy(MUBLAS_ARGS_AXPY(double));
mublasStatus_t mublasCaxpy(MUBLAS_ARGS_AXPY(muComplex));
mublasStatus_t mublasZaxpy(MUBLAS_ARGS_AXPY(muDoubleComplex));
#define MUBLAS_ARGS_COPY(T) \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, T *y, mublas_int incy
mublasStatus_t mublasScopy(MUBLAS_ARGS_COPY(float));
mublasStatus_t mublasDcopy(MUBLAS_ARGS_COPY(double));
mublasStatus_t mublasCcopy(MUBLAS_ARGS_COPY(muComplex));
mublasStatus_t mublasZcopy(MUBLAS_ARGS_COPY(muDoubleComplex));
#define MUBLAS_ARGS_SWAP(T) \
  mublasHandle_t handle, mublas_int n, T *x, mublas_int incx, T *y, mublas_int incy
mublasStatus_t mublasSswap(MUBLAS_ARGS_SWAP(float));
mublasStatus_t mublasDswap(MUBLAS_ARGS_SWAP(double));
mublasStatus_t mublasCswap(MUBLAS_ARGS_SWAP(muComplex));
mublasStatus_t mublasZswap(MUBLAS_ARGS_SWAP(muDoubleComplex));
#define MUBLAS_ARGS_SCAL(T) \
  mublasHandle_t handle, mublas_int n, const T *alpha, T *x, mublas_int incx
mublasStatus_t mublasSscal(MUBLAS_ARGS_SCAL(float));
mublasStatus_t mublasDscal(MUBLAS_ARGS_SCAL(double));
mublasStatus_t mublasCscal(MUBLAS_ARGS_SCAL(muComplex));
mublasStatus_t mublasZscal(MUBLAS_ARGS_SCAL(muDoubleComplex));
mublasStatus_t mublasCsscal(mublasHandle_t handle, mublas_int n, const float* alpha, muComplex* x,
                            mublas_int incx);
mublasStatus_t mublasZdscal(mublasHandle_t handle, mublas_int n, const double* alpha,
                            muDoubleComplex* x, mublas_int incx);
#define MUBLAS_ARGS_DOT(T)                                                                       \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, const T *y, mublas_int incy, \
      T *result
mublasStatus_t mublasSdot(MUBLAS_ARGS_DOT(float));
mublasStatus_t mublasDdot(MUBLAS_ARGS_DOT(double));
mublasStatus_t mublasCdotu(MUBLAS_ARGS_DOT(muComplex));
mublasStatus_t mublasZdotu(MUBLAS_ARGS_DOT(muDoubleComplex));
mublasStatus_t mublasCdotc(MUBLAS_ARGS_DOT(muComplex));
mublasStatus_t mublasZdotc(MUBLAS_ARGS_DOT(muDoubleComplex));
#define MUBLAS_ARGS_NRM2(T, R) \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, R *result
mublasStatus_t mublasSnrm2(MUBLAS_ARGS_NRM2(float, float));
mublasStatus_t mublasDnrm2(MUBLAS_ARGS_NRM2(double, double));
mublasStatus_t mublasScnrm2(MUBLAS_ARGS_NRM2(muComplex, float));
mublasStatus_t mublasDznrm2(MUBLAS_ARGS_NRM2(muDoubleComplex, double));
mublasStatus_t mublasSasum(MUBLAS_ARGS_NRM2(float, float));
mublasStatus_t mublasDasum(MUBLAS_ARGS_NRM2(double, double));
mublasStatus_t mublasScasum(MUBLAS_ARGS_NRM2(muComplex, float));
mublasStatus_t mublasDzasum(MUBLAS_ARGS_NRM2(muDoubleComplex, double));
#define MUBLAS_ARGS_IAMAX(T) \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, mublas_int *result
mublasStatus_t mublasIsamax(MUBLAS_ARGS_IAMAX(float));
mublasStatus_t mublasIdamax(MUBLAS_ARGS_IAMAX(double));
mublasStatus_t mublasIcamax(MUBLAS_ARGS_IAMAX(muComplex));
mublasStatus_t mublasIzamax(MUBLAS_ARGS_IAMAX(muDoubleComplex));
mublasStatus_t mublasIsamin(MUBLAS_ARGS_IAMAX(float));
mublasStatus_t mublasIdamin(MUBLAS_ARGS_IAMAX(double));
mublasStatus_t mublasIcamin(MUBLAS_ARGS_IAMAX(muComplex));
mublasStatus_t mublasIzamin(MUBLAS_ARGS_IAMAX(muDoubleComplex));

/* Level 1: rotations. */
#define MUBLAS_ARGS_ROT(T, R)                                                                    \
  mublasHandle_t handle, mublas_int n, T *x, mublas_int incx, T *y, mublas_int incy, const R *c, \
      const T *s
mublasStatus_t mublasSrot(MUBLAS_ARGS_ROT(float, float));
mublasStatus_t mublasDrot(MUBLAS_ARGS_ROT(double, double));
mublasStatus_t mublasCrot(MUBLAS_ARGS_ROT(muComplex, float));
mublasStatus_t mublasZrot(MUBLAS_ARGS_ROT(muDoubleComplex, double));
mublasStatus_t mublasCsrot(mublasHandle_t handle, mublas_int n, muComplex* x, mublas_int incx,
                           muComplex* y, mublas_int incy, const float* c, const float* s);
mublasStatus_t mublasZdrot(mublasHandle_t handle, mublas_int n, muDoubleComplex* x, mublas_int incx,
                           muDoubleComplex* y, mublas_int incy, const double* c, const double* s);
#define MUBLAS_ARGS_ROTG(T, R) mublasHandle_t handle, T *a, T *b, R *c, T *s
mublasStatus_t mublasSrotg(MUBLAS_ARGS_ROTG(float, float));
mublasStatus_t mublasDrotg(MUBLAS_ARGS_ROTG(double, double));
mublasStatus_t mublasCrotg(MUBLAS_ARGS_ROTG(muComplex, float));
mublasStatus_t mublasZrotg(MUBLAS_ARGS_ROTG(muDoubleComplex, double));
mublasStatus_t mublasSrotm(mublasHandle_t handle, mublas_int n, float* x, mublas_int incx, float* y,
                           mublas_int incy, const float* param);
mublasStatus_t mublasDrotm(mublasHandle_t handle, mublas_int n, double* x, mublas_int incx,
                           double* y, mublas_int incy, const double* param);
#define MUBLAS_ARGS_ROTMG(T) mublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param
mublasStatus_t mublasSrotmg(MUBLAS_ARGS_ROTMG(float));
mublasStatus_t mublasDrotmg(MUBLAS_ARGS_ROTMG(double));

/* Level 2: products of a matrix and a vector. */
#define MUBLAS_ARGS_GEMV(T)                                                                   \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, const T *alpha, \
      const T *A, mublas_int lda, const T *x, mublas_int incx, const T *beta, T *y,           \
      mublas_int incy
mublasStatus_t mublasSgemv(MUBLAS_ARGS_GEMV(float));
mublasStatus_t mublasDgemv(MUBLAS_ARGS_GEMV(double));
mublasStatus_t mublasCgemv(MUBLAS_ARGS_GEMV(muComplex));
mublasStatus_t mublasZgemv(MUBLAS_ARGS_GEMV(muDoubleComplex));
#define MUBLAS_ARGS_GBMV(T)                                                                   \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, mublas_int kl,  \
      mublas_int ku, const T *alpha, const T *A, mublas_int lda, const T *x, mublas_int incx, \
      const T *beta, T *y, mublas_int incy
mublasStatus_t mublasSgbmv(MUBLAS_ARGS_GBMV(float));
mublasStatus_t mublasDgbmv(MUBLAS_ARGS_GBMV(double));
mublasStatus_t mublasCgbmv(MUBLAS_ARGS_GBMV(muComplex));
mublasStatus_t mublasZgbmv(MUBLAS_ARGS_GBMV(muDoubleComplex));
#define MUBLAS_ARGS_SYMV(T)                                                               \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *A, \
      mublas_int lda, const T *x, mublas_int incx, const T *beta, T *y, mublas_int incy
mublasStatus_t mublasSsymv(MUBLAS_ARGS_SYMV(float));
mublasStatus_t mublasDsymv(MUBLAS_ARGS_SYMV(double));
mublasStatus_t mublasCsymv(MUBLAS_ARGS_SYMV(muComplex));
mublasStatus_t mublasZsymv(MUBLAS_ARGS_SYMV(muDoubleComplex));
mublasStatus_t mublasChemv(MUBLAS_ARGS_SYMV(muComplex));
mublasStatus_t mublasZhemv(MUBLAS_ARGS_SYMV(muDoubleComplex));
#define MUBLAS_ARGS_SBMV(T)                                                                 \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, mublas_int k, const T *alpha, \
      const T *A, mublas_int lda, const T *x, mublas_int incx, const T *beta, T *y,         \
      mublas_int incy
mublasStatus_t mublasSsbmv(MUBLAS_ARGS_SBMV(float));
mublasStatus_t mublasDsbmv(MUBLAS_ARGS_SBMV(double));
mublasStatus_t mublasChbmv(MUBLAS_ARGS_SBMV(muComplex));
mublasStatus_t mublasZhbmv(MUBLAS_ARGS_SBMV(muDoubleComplex));
#define MUBLAS_ARGS_SPMV(T)                                                                \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *AP, \
      const T *x, mublas_int incx, const T *beta, T *y, mublas_int incy
mublasStatus_t mublasSspmv(MUBLAS_ARGS_SPMV(float));
mublasStatus_t mublasDspmv(MUBLAS_ARGS_SPMV(double));
mublasStatus_t mublasChpmv(MUBLAS_ARGS_SPMV(muComplex));
mublasStatus_t mublasZhpmv(MUBLAS_ARGS_SPMV(muDoubleComplex));

/* Level 2: rank updates. */
#define MUBLAS_ARGS_GER(T)                                                                        \
  mublasHandle_t handle, mublas_int m, mublas_int n, const T *alpha, const T *x, mublas_int incx, \
      const T *y, mublas_int incy, T *A, mublas_int lda
mublasStatus_t mublasSger(MUBLAS_ARGS_GER(float));
mublasStatus_t mublasDger(MUBLAS_ARGS_GER(double));
mublasStatus_t mublasCgeru(MUBLAS_ARGS_GER(muComplex));
mublasStatus_t mublasZgeru(MUBLAS_ARGS_GER(muDoubleComplex));
mublasStatus_t mublasCgerc(MUBLAS_ARGS_GER(muComplex));
mublasStatus_t mublasZgerc(MUBLAS_ARGS_GER(muDoubleComplex));
#define MUBLAS_ARGS_SYR(T)                                                                \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *x, \
      mublas_int incx, T *A, mublas_int lda
mublasStatus_t mublasSsyr(MUBLAS_ARGS_SYR(float));
mublasStatus_t mublasDsyr(MUBLAS_ARGS_SYR(double));
mublasStatus_t mublasCsyr(MUBLAS_ARGS_SYR(muComplex));
mublasStatus_t mublasZsyr(MUBLAS_ARGS_SYR(muDoubleComplex));
#define MUBLAS_ARGS_HER(T, R)                                                             \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const R *alpha, const T *x, \
      mublas_int incx, T *A, mublas_int lda
mublasStatus_t mublasCher(MUBLAS_ARGS_HER(muComplex, float));
mublasStatus_t mublasZher(MUBLAS_ARGS_HER(muDoubleComplex, double));
#define MUBLAS_ARGS_SPR(T, R)                                                             \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const R *alpha, const T *x, \
      mublas_int incx, T *AP
mublasStatus_t mublasSspr(MUBLAS_ARGS_SPR(float, float));
mublasStatus_t mublasDspr(MUBLAS_ARGS_SPR(double, double));
mublasStatus_t mublasChpr(MUBLAS_ARGS_SPR(muComplex, float));
mublasStatus_t mublasZhpr(MUBLAS_ARGS_SPR(muDoubleComplex, double));
#define MUBLAS_ARGS_SYR2(T)                                                               \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *x, \
      mublas_int incx, const T *y, mublas_int incy, T *A, mublas_int lda
mublasStatus_t mublasSsyr2(MUBLAS_ARGS_SYR2(float));
mublasStatus_t mublasDsyr2(MUBLAS_ARGS_SYR2(double));
mublasStatus_t mublasCsyr2(MUBLAS_ARGS_SYR2(muComplex));
mublasStatus_t mublasZsyr2(MUBLAS_ARGS_SYR2(muDoubleComplex));
mublasStatus_t mublasCher2(MUBLAS_ARGS_SYR2(muComplex));
mublasStatus_t mublasZher2(MUBLAS_ARGS_SYR2(muDoubleComplex));
#define MUBLAS_ARGS_SPR2(T)                                                               \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *x, \
      mublas_int incx, const T *y, mublas_int incy, T *AP
mublasStatus_t mublasSspr2(MUBLAS_ARGS_SPR2(float));
mublasStatus_t mublasDspr2(MUBLAS_ARGS_SPR2(double));
mublasStatus_t mublasChpr2(MUBLAS_ARGS_SPR2(muComplex));
mublasStatus_t mublasZhpr2(MUBLAS_ARGS_SPR2(muDoubleComplex));

/* Level 2: triangular matrices. */
#define MUBLAS_ARGS_TRMV(T)                                                                     \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
      mublas_int n, const T *A, mublas_int lda, T *x, mublas_int incx
mublasStatus_t mublasStrmv(MUBLAS_ARGS_TRMV(float));
mublasStatus_t mublasDtrmv(MUBLAS_ARGS_TRMV(double));
mublasStatus_t mublasCtrmv(MUBLAS_ARGS_TRMV(muComplex));
mublasStatus_t mublasZtrmv(MUBLAS_ARGS_TRMV(muDoubleComplex));
mublasStatus_t mublasStrsv(MUBLAS_ARGS_TRMV(float));
mublasStatus_t mublasDtrsv(MUBLAS_ARGS_TRMV(double));
mublasStatus_t mublasCtrsv(MUBLAS_ARGS_TRMV(muComplex));
mublasStatus_t mublasZtrsv(MUBLAS_ARGS_TRMV(muDoubleComplex));
#define MUBLAS_ARGS_TBMV(T)                                                                     \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
      mublas_int n, mublas_int k, const T *A, mublas_int lda, T *x, mublas_int incx
mublasStatus_t mublasStbmv(MUBLAS_ARGS_TBMV(float));
mublasStatus_t mublasDtbmv(MUBLAS_ARGS_TBMV(double));
mublasStatus_t mublasCtbmv(MUBLAS_ARGS_TBMV(muComplex));
mublasStatus_t mublasZtbmv(MUBLAS_ARGS_TBMV(muDoubleComplex));
mublasStatus_t mublasStbsv(MUBLAS_ARGS_TBMV(float));
mublasStatus_t mublasDtbsv(MUBLAS_ARGS_TBMV(double));
mublasStatus_t mublasCtbsv(MUBLAS_ARGS_TBMV(muComplex));
mublasStatus_t mublasZtbsv(MUBLAS_ARGS_TBMV(muDoubleComplex));
#define MUBLAS_ARGS_TPMV(T)                                                                     \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
      mublas_int n, const T *AP, T *x, mublas_int incx
mublasStatus_t mublasStpmv(MUBLAS_ARGS_TPMV(float));
mublasStatus_t mublasDtpmv(MUBLAS_ARGS_TPMV(double));
mublasStatus_t mublasCtpmv(MUBLAS_ARGS_TPMV(muComplex));
mublasStatus_t mublasZtpmv(MUBLAS_ARGS_TPMV(muDoubleComplex));
mublasStatus_t mublasStpsv(MUBLAS_ARGS_TPMV(float));
mublasStatus_t mublasDtpsv(MUBLAS_ARGS_TPMV(double));
mublasStatus_t mublasCtpsv(MUBLAS_ARGS_TPMV(muComplex));
mublasStatus_t mublasZtpsv(MUBLAS_ARGS_TPMV(muDoubleComplex));

/* Level 3. */
#define MUBLAS_ARGS_GEMM(T)                                                                \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m, \
      mublas_int n, mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *B,  \
      mublas_int ldb, const T *beta, T *C, mublas_int ldc
mublasStatus_t mublasSgemm(MUBLAS_ARGS_GEMM(float));
mublasStatus_t mublasDgemm(MUBLAS_ARGS_GEMM(double));
mublasStatus_t mublasCgemm(MUBLAS_ARGS_GEMM(muComplex));
mublasStatus_t mublasZgemm(MUBLAS_ARGS_GEMM(muDoubleComplex));
#define MUBLAS_ARGS_SYMM(T)                                                                        \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublas_int m, mublas_int n, \
      const T *alpha, const T *A, mublas_int lda, const T *B, mublas_int ldb, const T *beta, T *C, \
      mublas_int ldc
mublasStatus_t mublasSsymm(MUBLAS_ARGS_SYMM(float));
mublasStatus_t mublasDsymm(MUBLAS_ARGS_SYMM(double));
mublasStatus_t mublasCsymm(MUBLAS_ARGS_SYMM(muComplex));
mublasStatus_t mublasZsymm(MUBLAS_ARGS_SYMM(muDoubleComplex));
mublasStatus_t mublasChemm(MUBLAS_ARGS_SYMM(muComplex));
mublasStatus_t mublasZhemm(MUBLAS_ARGS_SYMM(muDoubleComplex));
#define MUBLAS_ARGS_SYRK(T)                                                            \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n, \
      mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *beta, T *C,   \
      mublas_int ldc
mublasStatus_t mublasSsyrk(MUBLAS_ARGS_SYRK(float));
mublasStatus_t mublasDsyrk(MUBLAS_ARGS_SYRK(double));
mublasStatus_t mublasCsyrk(MUBLAS_ARGS_SYRK(muComplex));
mublasStatus_t mublasZsyrk(MUBLAS_ARGS_SYRK(muDoubleComplex));
#define MUBLAS_ARGS_HERK(T, R)                                                         \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n, \
      mublas_int k, const R *alpha, const T *A, mublas_int lda, const R *beta, T *C,   \
      mublas_int ldc
mublasStatus_t mublasCherk(MUBLAS_ARGS_HERK(muComplex, float));
mublasStatus_t mublasZherk(MUBLAS_ARGS_HERK(muDoubleComplex, double));
#define MUBLAS_ARGS_SYR2K(T)                                                                \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n,      \
      mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *B, mublas_int ldb, \
      const T *beta, T *C, mublas_int ldc
mublasStatus_t mublasSsyr2k(MUBLAS_ARGS_SYR2K(float));
mublasStatus_t mublasDsyr2k(MUBLAS_ARGS_SYR2K(double));
mublasStatus_t mublasCsyr2k(MUBLAS_ARGS_SYR2K(muComplex));
mublasStatus_t mublasZsyr2k(MUBLAS_ARGS_SYR2K(muDoubleComplex));
mublasStatus_t mublasSsyrkx(MUBLAS_ARGS_SYR2K(float));
mublasStatus_t mublasDsyrkx(MUBLAS_ARGS_SYR2K(double));
mublasStatus_t mublasCsyrkx(MUBLAS_ARGS_SYR2K(muComplex));
mublasStatus_t mublasZsyrkx(MUBLAS_ARGS_SYR2K(muDoubleComplex));
#define MUBLAS_ARGS_HER2K(T, R)                                                             \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n,      \
      mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *B, mublas_int ldb, \
      const R *beta, T *C, mublas_int ldc
mublasStatus_t mublasCher2k(MUBLAS_ARGS_HER2K(muComplex, float));
mublasStatus_t mublasZher2k(MUBLAS_ARGS_HER2K(muDoubleComplex, double));
mublasStatus_t mublasCherkx(MUBLAS_ARGS_HER2K(muComplex, float));
mublasStatus_t mublasZherkx(MUBLAS_ARGS_HER2K(muDoubleComplex, double));
#define MUBLAS_ARGS_TRMM(T)                                                                     \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans, \
      mublasDiagType_t diag, mublas_int m, mublas_int n, const T *alpha, const T *A,            \
      mublas_int lda, const T *B, mublas_int ldb, T *C, mublas_int ldc
mublasStatus_t mublasStrmm(MUBLAS_ARGS_TRMM(float));
mublasStatus_t mublasDtrmm(MUBLAS_ARGS_TRMM(double));
mublasStatus_t mublasCtrmm(MUBLAS_ARGS_TRMM(muComplex));
mublasStatus_t mublasZtrmm(MUBLAS_ARGS_TRMM(muDoubleComplex));
#define MUBLAS_ARGS_TRSM(T)                                                                     \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans, \
      mublasDiagType_t diag, mublas_int m, mublas_int n, const T *alpha, const T *A,            \
      mublas_int lda, T *B, mublas_int ldb
mublasStatus_t mublasStrsm(MUBLAS_ARGS_TRSM(float));
mublasStatus_t mublasDtrsm(MUBLAS_ARGS_TRSM(double));
mublasStatus_t mublasCtrsm(MUBLAS_ARGS_TRSM(muComplex));
mublasStatus_t mublasZtrsm(MUBLAS_ARGS_TRSM(muDoubleComplex));

/* Beyond BLAS. */
#define MUBLAS_ARGS_GEAM(T)                                                                \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m, \
      mublas_int n, const T *alpha, const T *A, mublas_int lda, const T *beta, const T *B, \
      mublas_int ldb, T *C, mublas_int ldc
mublasStatus_t mublasSgeam(MUBLAS_ARGS_GEAM(float));
mublasStatus_t mublasDgeam(MUBLAS_ARGS_GEAM(double));
mublasStatus_t mublasCgeam(MUBLAS_ARGS_GEAM(muComplex));
mublasStatus_t mublasZgeam(MUBLAS_ARGS_GEAM(muDoubleComplex));
#define MUBLAS_ARGS_DGMM(T)                                                             \
  mublasHandle_t handle, mublasSideMode_t side, mublas_int m, mublas_int n, const T *A, \
      mublas_int lda, const T *x, mublas_int incx, T *C, mublas_int ldc
mublasStatus_t mublasSdgmm(MUBLAS_ARGS_DGMM(float));
mublasStatus_t mublasDdgmm(MUBLAS_ARGS_DGMM(double));
mublasStatus_t mublasCdgmm(MUBLAS_ARGS_DGMM(muComplex));
mublasStatus_t mublasZdgmm(MUBLAS_ARGS_DGMM(muDoubleComplex));

/* Batches: arrays of pointers, and equal strides. */
#define MUBLAS_ARGS_GEMVBATCHED(T)                                                            \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, const T *alpha, \
      const T *const *Aarray, mublas_int lda, const T *const *xarray, mublas_int incx,        \
      const T *beta, T *const *yarray, mublas_int incy, mublas_int batchCount
mublasStatus_t mublasSgemvBatched(MUBLAS_ARGS_GEMVBATCHED(float));
mublasStatus_t mublasDgemvBatched(MUBLAS_ARGS_GEMVBATCHED(double));
mublasStatus_t mublasCgemvBatched(MUBLAS_ARGS_GEMVBATCHED(muComplex));
mublasStatus_t mublasZgemvBatched(MUBLAS_ARGS_GEMVBATCHED(muDoubleComplex));
#define MUBLAS_ARGS_GEMVSTRIDEDBATCHED(T)                                                     \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, const T *alpha, \
      const T *A, mublas_int lda, long long strideA, const T *x, mublas_int incx,             \
      long long stridex, const T *beta, T *y, mublas_int incy, long long stridey,             \
      mublas_int batchCount
mublasStatus_t mublasSgemvStridedBatched(MUBLAS_ARGS_GEMVSTRIDEDBATCHED(float));
mublasStatus_t mublasDgemvStridedBatched(MUBLAS_ARGS_GEMVSTRIDEDBATCHED(double));
mublasStatus_t mublasCgemvStridedBatched(MUBLAS_ARGS_GEMVSTRIDEDBATCHED(muComplex));
mublasStatus_t mublasZgemvStridedBatched(MUBLAS_ARGS_GEMVSTRIDEDBATCHED(muDoubleComplex));
#define MUBLAS_ARGS_GEMMBATCHED(T)                                                             \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,     \
      mublas_int n, mublas_int k, const T *alpha, const T *const *Aarray, mublas_int lda,      \
      const T *const *Barray, mublas_int ldb, const T *beta, T *const *Carray, mublas_int ldc, \
      mublas_int batchCount
mublasStatus_t mublasSgemmBatched(MUBLAS_ARGS_GEMMBATCHED(float));
mublasStatus_t mublasDgemmBatched(MUBLAS_ARGS_GEMMBATCHED(double));
mublasStatus_t mublasCgemmBatched(MUBLAS_ARGS_GEMMBATCHED(muComplex));
mublasStatus_t mublasZgemmBatched(MUBLAS_ARGS_GEMMBATCHED(muDoubleComplex));
#define MUBLAS_ARGS_GEMMSTRIDEDBATCHED(T)                                                        \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,       \
      mublas_int n, mublas_int k, const T *alpha, const T *A, mublas_int lda, long long strideA, \
      const T *B, mublas_int ldb, long long strideB, const T *beta, T *C, mublas_int ldc,        \
      long long strideC, mublas_int batchCount
mublasStatus_t mublasSgemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(float));
mublasStatus_t mublasDgemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(double));
mublasStatus_t mublasCgemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(muComplex));
mublasStatus_t mublasZgemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(muDoubleComplex));
#define MUBLAS_ARGS_TRSMBATCHED(T)                                                               \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,  \
      mublasDiagType_t diag, mublas_int m, mublas_int n, const T *alpha, const T *const *Aarray, \
      mublas_int lda, T *const *Barray, mublas_int ldb, mublas_int batchCount
mublasStatus_t mublasStrsmBatched(MUBLAS_ARGS_TRSMBATCHED(float));
mublasStatus_t mublasDtrsmBatched(MUBLAS_ARGS_TRSMBATCHED(double));
mublasStatus_t mublasCtrsmBatched(MUBLAS_ARGS_TRSMBATCHED(muComplex));
mublasStatus_t mublasZtrsmBatched(MUBLAS_ARGS_TRSMBATCHED(muDoubleComplex));

/* Half precision, and mublasCsyrkEx. A real mublas.h declares the half functions for mcc only; the
 * library exports them for everyone (zml/xla: mublas_shim.cc).
 */
mublasStatus_t mublasHgemm(MUBLAS_ARGS_GEMM(__half));
mublasStatus_t mublasHgemmBatched(MUBLAS_ARGS_GEMMBATCHED(__half));
mublasStatus_t mublasHgemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(__half));
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
#define MUBLAS_ARGS_GEMMEX(Compute)                                                          \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,   \
      mublas_int n, mublas_int k, const void *alpha, const void *A, musaDataType_t Atype,    \
      mublas_int lda, const void *B, musaDataType_t Btype, mublas_int ldb, const void *beta, \
      void *C, musaDataType_t Ctype, mublas_int ldc, Compute computeType, mublasGemmAlgo_t algo
mublasStatus_t mublasGemmEx(MUBLAS_ARGS_GEMMEX(mublasComputeType_t));
mublasStatus_t mublasGemmEx(MUBLAS_ARGS_GEMMEX(musaDataType_t));
#define MUBLAS_ARGS_GEMMBATCHEDEX(Compute)                                                       \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,       \
      mublas_int n, mublas_int k, const void *alpha, const void *const *A, musaDataType_t Atype, \
      mublas_int lda, const void *const *B, musaDataType_t Btype, mublas_int ldb,                \
      const void *beta, void *const *C, musaDataType_t Ctype, mublas_int ldc,                    \
      mublas_int batchCount, Compute computeType, mublasGemmAlgo_t algo
mublasStatus_t mublasGemmBatchedEx(MUBLAS_ARGS_GEMMBATCHEDEX(mublasComputeType_t));
mublasStatus_t mublasGemmBatchedEx(MUBLAS_ARGS_GEMMBATCHEDEX(musaDataType_t));
#define MUBLAS_ARGS_GEMMSTRIDEDBATCHEDEX(Compute)                                             \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,    \
      mublas_int n, mublas_int k, const void *alpha, const void *A, musaDataType_t Atype,     \
      mublas_int lda, long long strideA, const void *B, musaDataType_t Btype, mublas_int ldb, \
      long long strideB, const void *beta, void *C, musaDataType_t Ctype, mublas_int ldc,     \
      long long strideC, mublas_int batchCount, Compute computeType, mublasGemmAlgo_t algo
mublasStatus_t mublasGemmStridedBatchedEx(MUBLAS_ARGS_GEMMSTRIDEDBATCHEDEX(mublasComputeType_t));
mublasStatus_t mublasGemmStridedBatchedEx(MUBLAS_ARGS_GEMMSTRIDEDBATCHEDEX(musaDataType_t));
#endif

#pragma GCC visibility pop
