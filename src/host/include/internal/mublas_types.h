/* Types of muBLAS 1.10.6 (MUSA SDK 5.1), from public evidence only.
 *
 * Transcribed by hand from:
 *   ZhaoShanBiounite/musapy: musa_x_ffi.rs   (operation and pointer mode numbers, mublas_int)
 *   flagos-ai/KernelGenBench: docs/mublas_fix.md
 *                                            (fill, diag, side, compute type and algorithm numbers)
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/Exceptions.cpp
 *                                            (status names and their order)
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MublasHandlePool.cpp, and
 *   zml/xla: xla/stream_executor/musa/mublas_shim/mublas_shim.cc  (math and atomics mode names)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mublas_dynload.h
 *                                            (the tags of handle and enums, from C++ mangled names)
 *
 * Assumed, because no public source states it:
 *   - status numbers other than 0: consecutive in the known order;
 *   - numbers of mublasAtomicsMode_t and mublasMath_t, and MUBLAS_COMPUTE_32F_FAST_16F.
 *
 * Left out: MUBLAS_STATUS_NOT_SUPPORTED, which exists in 5.x with an unknown number.
 */
#pragma once

#include <stdint.h>

typedef int32_t mublas_int;

typedef struct _mublasHandle_t* mublasHandle_t;

typedef enum mublasStatus_t {
  MUBLAS_STATUS_SUCCESS = 0,
  MUBLAS_STATUS_INVALID_HANDLE = 1,
  MUBLAS_STATUS_NOT_IMPLEMENTED = 2,
  MUBLAS_STATUS_INVALID_POINTER = 3,
  MUBLAS_STATUS_INVALID_SIZE = 4,
  MUBLAS_STATUS_MEMORY_ERROR = 5,
  MUBLAS_STATUS_INTERNAL_ERROR = 6,
  MUBLAS_STATUS_PERF_DEGRADED = 7,
  MUBLAS_STATUS_SIZE_QUERY_MISMATCH = 8,
  MUBLAS_STATUS_SIZE_INCREASED = 9,
  MUBLAS_STATUS_SIZE_UNCHANGED = 10,
  MUBLAS_STATUS_INVALID_VALUE = 11,
  MUBLAS_STATUS_CONTINUE = 12,
  MUBLAS_STATUS_CHECK_NUMERICS_FAIL = 13
} mublasStatus_t;

/* The spelling of older releases. Newer code still uses it. */
typedef mublasStatus_t mublasStatus;

typedef enum mublasOperation_t {
  MUBLAS_OP_N = 111,
  MUBLAS_OP_T = 112,
  MUBLAS_OP_C = 113
} mublasOperation_t;

typedef enum mublasFillMode_t {
  MUBLAS_FILL_MODE_UPPER = 121,
  MUBLAS_FILL_MODE_LOWER = 122,
  MUBLAS_FILL_MODE_FULL = 123
} mublasFillMode_t;

typedef enum mublasDiagType_t {
  MUBLAS_DIAG_NON_UNIT = 131,
  MUBLAS_DIAG_UNIT = 132
} mublasDiagType_t;

typedef enum mublasSideMode_t {
  MUBLAS_SIDE_LEFT = 141,
  MUBLAS_SIDE_RIGHT = 142,
  MUBLAS_SIDE_BOTH = 143
} mublasSideMode_t;

typedef enum mublasPointerMode_t {
  MUBLAS_POINTER_MODE_HOST = 0,
  MUBLAS_POINTER_MODE_DEVICE = 1
} mublasPointerMode_t;

typedef enum mublasAtomicsMode_t {
  MUBLAS_ATOMICS_NOT_ALLOWED = 0,
  MUBLAS_ATOMICS_ALLOWED = 1
} mublasAtomicsMode_t;

typedef enum mublasMath_t {
  MUBLAS_DEFAULT_MATH = 0,
  MUBLAS_MATH_MODE_DEFAULT = 0,
  MUBLAS_TENSOR_OP_MATH = 1,
  MUBLAS_MATH_MODE_TP32_TENSOR = 2
} mublasMath_t;

typedef enum mublasComputeType_t {
  MUBLAS_COMPUTE_16F = 64,
  MUBLAS_COMPUTE_32F = 68,
  MUBLAS_COMPUTE_64F = 70,
  MUBLAS_COMPUTE_32I = 72,
  MUBLAS_COMPUTE_32F_FAST_16F = 74,
  MUBLAS_COMPUTE_32F_FAST_TF32 = 77
} mublasComputeType_t;

typedef enum mublasGemmAlgo_t {
  MUBLAS_GEMM_DEFAULT = 0x0,
  MUBLAS_GEMM_DEFAULT_TENSOR_OP = 0x1
} mublasGemmAlgo_t;
