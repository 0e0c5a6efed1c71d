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
#include "internal/sdk.h"

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

/* Functions of a family differ in their numbers T and the real numbers R of that size. The letters
 * are those of the names: mublasSaxpy, mublasDaxpy, mublasCaxpy, mublasZaxpy. */
/* NOLINTBEGIN(bugprone-macro-parentheses): T, R and Compute are types */
#define MUBLAS_SD(name, args)                \
  mublasStatus_t mublasS##name(args(float)); \
  mublasStatus_t mublasD##name(args(double));
#define MUBLAS_CZ(name, args)                    \
  mublasStatus_t mublasC##name(args(muComplex)); \
  mublasStatus_t mublasZ##name(args(muDoubleComplex));
#define MUBLAS_SDCZ(name, args) MUBLAS_SD(name, args) MUBLAS_CZ(name, args)
#define MUBLAS_SD_R(name, args)                     \
  mublasStatus_t mublasS##name(args(float, float)); \
  mublasStatus_t mublasD##name(args(double, double));
#define MUBLAS_CZ_R(name, args)                         \
  mublasStatus_t mublasC##name(args(muComplex, float)); \
  mublasStatus_t mublasZ##name(args(muDoubleComplex, double));
#define MUBLAS_SDCZ_R(name, args) MUBLAS_SD_R(name, args) MUBLAS_CZ_R(name, args)

/* Level 1: vectors. */
#define MUBLAS_ARGS_AXPY(T)                                                               \
  mublasHandle_t handle, mublas_int n, const T *alpha, const T *x, mublas_int incx, T *y, \
      mublas_int incy
MUBLAS_SDCZ(axpy, MUBLAS_ARGS_AXPY)
#define MUBLAS_ARGS_COPY(T) \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, T *y, mublas_int incy
MUBLAS_SDCZ(copy, MUBLAS_ARGS_COPY)
#define MUBLAS_ARGS_SWAP(T) \
  mublasHandle_t handle, mublas_int n, T *x, mublas_int incx, T *y, mublas_int incy
MUBLAS_SDCZ(swap, MUBLAS_ARGS_SWAP)
#define MUBLAS_ARGS_SCAL(T) \
  mublasHandle_t handle, mublas_int n, const T *alpha, T *x, mublas_int incx
MUBLAS_SDCZ(scal, MUBLAS_ARGS_SCAL)
mublasStatus_t mublasCsscal(mublasHandle_t handle, mublas_int n, const float* alpha, muComplex* x,
                            mublas_int incx);
mublasStatus_t mublasZdscal(mublasHandle_t handle, mublas_int n, const double* alpha,
                            muDoubleComplex* x, mublas_int incx);
#define MUBLAS_ARGS_DOT(T)                                                                       \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, const T *y, mublas_int incy, \
      T *result
MUBLAS_SD(dot, MUBLAS_ARGS_DOT)
MUBLAS_CZ(dotu, MUBLAS_ARGS_DOT)
MUBLAS_CZ(dotc, MUBLAS_ARGS_DOT)
#define MUBLAS_ARGS_NRM2(T, R) \
  mublasHandle_t handle, mublas_int n, const T *x, mublas_int incx, R *result
MUBLAS_SD_R(nrm2, MUBLAS_ARGS_NRM2)
mublasStatus_t mublasScnrm2(MUBLAS_ARGS_NRM2(muComplex, float));
mublasStatus_t mublasDznrm2(MUBLAS_ARGS_NRM2(muDoubleComplex, double));
MUBLAS_SD_R(asum, MUBLAS_ARGS_NRM2)
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
MUBLAS_SDCZ_R(rot, MUBLAS_ARGS_ROT)
mublasStatus_t mublasCsrot(mublasHandle_t handle, mublas_int n, muComplex* x, mublas_int incx,
                           muComplex* y, mublas_int incy, const float* c, const float* s);
mublasStatus_t mublasZdrot(mublasHandle_t handle, mublas_int n, muDoubleComplex* x, mublas_int incx,
                           muDoubleComplex* y, mublas_int incy, const double* c, const double* s);
#define MUBLAS_ARGS_ROTG(T, R) mublasHandle_t handle, T *a, T *b, R *c, T *s
MUBLAS_SDCZ_R(rotg, MUBLAS_ARGS_ROTG)
mublasStatus_t mublasSrotm(mublasHandle_t handle, mublas_int n, float* x, mublas_int incx, float* y,
                           mublas_int incy, const float* param);
mublasStatus_t mublasDrotm(mublasHandle_t handle, mublas_int n, double* x, mublas_int incx,
                           double* y, mublas_int incy, const double* param);
#define MUBLAS_ARGS_ROTMG(T) mublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param
MUBLAS_SD(rotmg, MUBLAS_ARGS_ROTMG)

/* Level 2: products of a matrix and a vector. */
#define MUBLAS_ARGS_GEMV(T)                                                                   \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, const T *alpha, \
      const T *A, mublas_int lda, const T *x, mublas_int incx, const T *beta, T *y,           \
      mublas_int incy
MUBLAS_SDCZ(gemv, MUBLAS_ARGS_GEMV)
#define MUBLAS_ARGS_GBMV(T)                                                                   \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, mublas_int kl,  \
      mublas_int ku, const T *alpha, const T *A, mublas_int lda, const T *x, mublas_int incx, \
      const T *beta, T *y, mublas_int incy
MUBLAS_SDCZ(gbmv, MUBLAS_ARGS_GBMV)
#define MUBLAS_ARGS_SYMV(T)                                                               \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *A, \
      mublas_int lda, const T *x, mublas_int incx, const T *beta, T *y, mublas_int incy
MUBLAS_SDCZ(symv, MUBLAS_ARGS_SYMV)
MUBLAS_CZ(hemv, MUBLAS_ARGS_SYMV)
#define MUBLAS_ARGS_SBMV(T)                                                                 \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, mublas_int k, const T *alpha, \
      const T *A, mublas_int lda, const T *x, mublas_int incx, const T *beta, T *y,         \
      mublas_int incy
MUBLAS_SD(sbmv, MUBLAS_ARGS_SBMV)
MUBLAS_CZ(hbmv, MUBLAS_ARGS_SBMV)
#define MUBLAS_ARGS_SPMV(T)                                                                \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *AP, \
      const T *x, mublas_int incx, const T *beta, T *y, mublas_int incy
MUBLAS_SD(spmv, MUBLAS_ARGS_SPMV)
MUBLAS_CZ(hpmv, MUBLAS_ARGS_SPMV)

/* Level 2: rank updates. */
#define MUBLAS_ARGS_GER(T)                                                                        \
  mublasHandle_t handle, mublas_int m, mublas_int n, const T *alpha, const T *x, mublas_int incx, \
      const T *y, mublas_int incy, T *A, mublas_int lda
MUBLAS_SD(ger, MUBLAS_ARGS_GER)
MUBLAS_CZ(geru, MUBLAS_ARGS_GER)
MUBLAS_CZ(gerc, MUBLAS_ARGS_GER)
#define MUBLAS_ARGS_SYR(T)                                                                \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *x, \
      mublas_int incx, T *A, mublas_int lda
MUBLAS_SDCZ(syr, MUBLAS_ARGS_SYR)
#define MUBLAS_ARGS_HER(T, R)                                                             \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const R *alpha, const T *x, \
      mublas_int incx, T *A, mublas_int lda
MUBLAS_CZ_R(her, MUBLAS_ARGS_HER)
#define MUBLAS_ARGS_SPR(T, R)                                                             \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const R *alpha, const T *x, \
      mublas_int incx, T *AP
MUBLAS_SD_R(spr, MUBLAS_ARGS_SPR)
MUBLAS_CZ_R(hpr, MUBLAS_ARGS_SPR)
#define MUBLAS_ARGS_SYR2(T)                                                               \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *x, \
      mublas_int incx, const T *y, mublas_int incy, T *A, mublas_int lda
MUBLAS_SDCZ(syr2, MUBLAS_ARGS_SYR2)
MUBLAS_CZ(her2, MUBLAS_ARGS_SYR2)
#define MUBLAS_ARGS_SPR2(T)                                                               \
  mublasHandle_t handle, mublasFillMode_t uplo, mublas_int n, const T *alpha, const T *x, \
      mublas_int incx, const T *y, mublas_int incy, T *AP
MUBLAS_SD(spr2, MUBLAS_ARGS_SPR2)
MUBLAS_CZ(hpr2, MUBLAS_ARGS_SPR2)

/* Level 2: triangular matrices. */
#define MUBLAS_ARGS_TRMV(T)                                                                     \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
      mublas_int n, const T *A, mublas_int lda, T *x, mublas_int incx
MUBLAS_SDCZ(trmv, MUBLAS_ARGS_TRMV)
MUBLAS_SDCZ(trsv, MUBLAS_ARGS_TRMV)
#define MUBLAS_ARGS_TBMV(T)                                                                     \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
      mublas_int n, mublas_int k, const T *A, mublas_int lda, T *x, mublas_int incx
MUBLAS_SDCZ(tbmv, MUBLAS_ARGS_TBMV)
MUBLAS_SDCZ(tbsv, MUBLAS_ARGS_TBMV)
#define MUBLAS_ARGS_TPMV(T)                                                                     \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublasDiagType_t diag, \
      mublas_int n, const T *AP, T *x, mublas_int incx
MUBLAS_SDCZ(tpmv, MUBLAS_ARGS_TPMV)
MUBLAS_SDCZ(tpsv, MUBLAS_ARGS_TPMV)

/* Level 3. */
#define MUBLAS_ARGS_GEMM(T)                                                                \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m, \
      mublas_int n, mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *B,  \
      mublas_int ldb, const T *beta, T *C, mublas_int ldc
MUBLAS_SDCZ(gemm, MUBLAS_ARGS_GEMM)
#define MUBLAS_ARGS_SYMM(T)                                                                        \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublas_int m, mublas_int n, \
      const T *alpha, const T *A, mublas_int lda, const T *B, mublas_int ldb, const T *beta, T *C, \
      mublas_int ldc
MUBLAS_SDCZ(symm, MUBLAS_ARGS_SYMM)
MUBLAS_CZ(hemm, MUBLAS_ARGS_SYMM)
#define MUBLAS_ARGS_SYRK(T)                                                            \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n, \
      mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *beta, T *C,   \
      mublas_int ldc
MUBLAS_SDCZ(syrk, MUBLAS_ARGS_SYRK)
#define MUBLAS_ARGS_HERK(T, R)                                                         \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n, \
      mublas_int k, const R *alpha, const T *A, mublas_int lda, const R *beta, T *C,   \
      mublas_int ldc
MUBLAS_CZ_R(herk, MUBLAS_ARGS_HERK)
#define MUBLAS_ARGS_SYR2K(T)                                                                \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n,      \
      mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *B, mublas_int ldb, \
      const T *beta, T *C, mublas_int ldc
MUBLAS_SDCZ(syr2k, MUBLAS_ARGS_SYR2K)
MUBLAS_SDCZ(syrkx, MUBLAS_ARGS_SYR2K)
#define MUBLAS_ARGS_HER2K(T, R)                                                             \
  mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans, mublas_int n,      \
      mublas_int k, const T *alpha, const T *A, mublas_int lda, const T *B, mublas_int ldb, \
      const R *beta, T *C, mublas_int ldc
MUBLAS_CZ_R(her2k, MUBLAS_ARGS_HER2K)
MUBLAS_CZ_R(herkx, MUBLAS_ARGS_HER2K)
#define MUBLAS_ARGS_TRMM(T)                                                                     \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans, \
      mublasDiagType_t diag, mublas_int m, mublas_int n, const T *alpha, const T *A,            \
      mublas_int lda, const T *B, mublas_int ldb, T *C, mublas_int ldc
MUBLAS_SDCZ(trmm, MUBLAS_ARGS_TRMM)
#define MUBLAS_ARGS_TRSM(T)                                                                     \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans, \
      mublasDiagType_t diag, mublas_int m, mublas_int n, const T *alpha, const T *A,            \
      mublas_int lda, T *B, mublas_int ldb
MUBLAS_SDCZ(trsm, MUBLAS_ARGS_TRSM)

/* Beyond BLAS. */
#define MUBLAS_ARGS_GEAM(T)                                                                \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m, \
      mublas_int n, const T *alpha, const T *A, mublas_int lda, const T *beta, const T *B, \
      mublas_int ldb, T *C, mublas_int ldc
MUBLAS_SDCZ(geam, MUBLAS_ARGS_GEAM)
#define MUBLAS_ARGS_DGMM(T)                                                             \
  mublasHandle_t handle, mublasSideMode_t side, mublas_int m, mublas_int n, const T *A, \
      mublas_int lda, const T *x, mublas_int incx, T *C, mublas_int ldc
MUBLAS_SDCZ(dgmm, MUBLAS_ARGS_DGMM)

/* Batches: arrays of pointers, and equal strides. */
#define MUBLAS_ARGS_GEMVBATCHED(T)                                                            \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, const T *alpha, \
      const T *const *Aarray, mublas_int lda, const T *const *xarray, mublas_int incx,        \
      const T *beta, T *const *yarray, mublas_int incy, mublas_int batchCount
MUBLAS_SDCZ(gemvBatched, MUBLAS_ARGS_GEMVBATCHED)
#define MUBLAS_ARGS_GEMVSTRIDEDBATCHED(T)                                                     \
  mublasHandle_t handle, mublasOperation_t trans, mublas_int m, mublas_int n, const T *alpha, \
      const T *A, mublas_int lda, long long strideA, const T *x, mublas_int incx,             \
      long long stridex, const T *beta, T *y, mublas_int incy, long long stridey,             \
      mublas_int batchCount
MUBLAS_SDCZ(gemvStridedBatched, MUBLAS_ARGS_GEMVSTRIDEDBATCHED)
#define MUBLAS_ARGS_GEMMBATCHED(T)                                                             \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,     \
      mublas_int n, mublas_int k, const T *alpha, const T *const *Aarray, mublas_int lda,      \
      const T *const *Barray, mublas_int ldb, const T *beta, T *const *Carray, mublas_int ldc, \
      mublas_int batchCount
MUBLAS_SDCZ(gemmBatched, MUBLAS_ARGS_GEMMBATCHED)
#define MUBLAS_ARGS_GEMMSTRIDEDBATCHED(T)                                                        \
  mublasHandle_t handle, mublasOperation_t transA, mublasOperation_t transB, mublas_int m,       \
      mublas_int n, mublas_int k, const T *alpha, const T *A, mublas_int lda, long long strideA, \
      const T *B, mublas_int ldb, long long strideB, const T *beta, T *C, mublas_int ldc,        \
      long long strideC, mublas_int batchCount
MUBLAS_SDCZ(gemmStridedBatched, MUBLAS_ARGS_GEMMSTRIDEDBATCHED)
#define MUBLAS_ARGS_TRSMBATCHED(T)                                                               \
  mublasHandle_t handle, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,  \
      mublasDiagType_t diag, mublas_int m, mublas_int n, const T *alpha, const T *const *Aarray, \
      mublas_int lda, T *const *Barray, mublas_int ldb, mublas_int batchCount
MUBLAS_SDCZ(trsmBatched, MUBLAS_ARGS_TRSMBATCHED)

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
/* NOLINTEND(bugprone-macro-parentheses) */

#pragma GCC visibility pop
