/* muBLASLt of MUSA SDK 4.3 and later, from public evidence only.
 *
 * Transcribed by hand from:
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/mublasLt_dynload.h and
 *   backends/musa/hack/paddle/phi/kernels/funcs/cublaslt.h    (functions, handles, attribute names)
 *   MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MublasHandlePool.cpp       (create, destroy)
 *   wudi0717/xla: xla/service/gpu/musa_gemm_epilogue_thunk.cc               (attributes, epilogues)
 *   MooreThreads/torch_musa: torch_musa/utils/mapping/general.json     (names of the version calls)
 *
 * Assumed, because no public source states it: every number of every enum here, the members of the
 * structs, and the names of the structs behind the handles. All follow the 12.x-generation library
 * of the same shape.
 */
#pragma once

#include <library_types.h>
#include <musa_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "internal/mublas_types.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mublasLtContext* mublasLtHandle_t;
typedef struct mublasLtMatrixLayoutOpaque_t* mublasLtMatrixLayout_t;
typedef struct mublasLtMatmulDescOpaque_t* mublasLtMatmulDesc_t;
typedef struct mublasLtMatrixTransformDescOpaque_t* mublasLtMatrixTransformDesc_t;
typedef struct mublasLtMatmulPreferenceOpaque_t* mublasLtMatmulPreference_t;

typedef struct mublasLtMatmulAlgo_t {
  uint64_t data[8];
} mublasLtMatmulAlgo_t;

typedef struct mublasLtMatmulHeuristicResult_t {
  mublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  mublasStatus_t state;
  float wavesCount;
  int reserved[4];
} mublasLtMatmulHeuristicResult_t;

typedef enum mublasLtMatrixLayoutAttribute_t {
  MUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  MUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  MUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  MUBLASLT_MATRIX_LAYOUT_COLS = 3,
  MUBLASLT_MATRIX_LAYOUT_LD = 4,
  MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  MUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7
} mublasLtMatrixLayoutAttribute_t;

typedef enum mublasLtOrder_t {
  MUBLASLT_ORDER_COL = 0,
  MUBLASLT_ORDER_ROW = 1,
  MUBLASLT_ORDER_COL32 = 2,
  MUBLASLT_ORDER_COL4_4R2_8C = 3,
  MUBLASLT_ORDER_COL32_2R_4R4 = 4
} mublasLtOrder_t;

typedef enum mublasLtPointerMode_t {
  MUBLASLT_POINTER_MODE_HOST = 0,
  MUBLASLT_POINTER_MODE_DEVICE = 1,
  MUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} mublasLtPointerMode_t;

typedef enum mublasLtMatmulDescAttributes_t {
  MUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  MUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  MUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  MUBLASLT_MATMUL_DESC_TRANSA = 3,
  MUBLASLT_MATMUL_DESC_TRANSB = 4,
  MUBLASLT_MATMUL_DESC_TRANSC = 5,
  MUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  MUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  MUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  MUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  MUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  MUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  MUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  MUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  MUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  MUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
  MUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} mublasLtMatmulDescAttributes_t;

typedef enum mublasLtEpilogue_t {
  MUBLASLT_EPILOGUE_DEFAULT = 1,
  MUBLASLT_EPILOGUE_RELU = 2,
  MUBLASLT_EPILOGUE_RELU_AUX = 130,
  MUBLASLT_EPILOGUE_BIAS = 4,
  MUBLASLT_EPILOGUE_RELU_BIAS = 6,
  MUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  MUBLASLT_EPILOGUE_DRELU = 136,
  MUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  MUBLASLT_EPILOGUE_GELU = 32,
  MUBLASLT_EPILOGUE_GELU_AUX = 160,
  MUBLASLT_EPILOGUE_GELU_BIAS = 36,
  MUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  MUBLASLT_EPILOGUE_DGELU = 192,
  MUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  MUBLASLT_EPILOGUE_BGRADA = 256,
  MUBLASLT_EPILOGUE_BGRADB = 512
} mublasLtEpilogue_t;

typedef enum mublasLtMatrixTransformDescAttributes_t {
  MUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,
  MUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,
  MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,
  MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3
} mublasLtMatrixTransformDescAttributes_t;

typedef enum mublasLtMatmulPreferenceAttributes_t {
  MUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  MUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  MUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  MUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
  MUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} mublasLtMatmulPreferenceAttributes_t;

typedef enum mublasLtMatmulAlgoCapAttributes_t {
  MUBLASLT_ALGO_CAP_SPLITK_SUPPORT = 0,
  MUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK = 1,
  MUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT = 2,
  MUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT = 3,
  MUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT = 4,
  MUBLASLT_ALGO_CAP_UPLO_SUPPORT = 5,
  MUBLASLT_ALGO_CAP_TILE_IDS = 6,
  MUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX = 7,
  MUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER = 10,
  MUBLASLT_ALGO_CAP_POINTER_MODE_MASK = 11,
  MUBLASLT_ALGO_CAP_EPILOGUE_MASK = 12,
  MUBLASLT_ALGO_CAP_STAGES_IDS = 13,
  MUBLASLT_ALGO_CAP_LD_NEGATIVE = 14,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES = 16,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES = 17,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES = 18,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES = 19
} mublasLtMatmulAlgoCapAttributes_t;

typedef enum mublasLtMatmulAlgoConfigAttributes_t {
  MUBLASLT_ALGO_CONFIG_ID = 0,
  MUBLASLT_ALGO_CONFIG_TILE_ID = 1,
  MUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,
  MUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,
  MUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,
  MUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,
  MUBLASLT_ALGO_CONFIG_STAGES_ID = 6,
  MUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,
  MUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8
} mublasLtMatmulAlgoConfigAttributes_t;

mublasStatus_t mublasLtCreate(mublasLtHandle_t* lightHandle);
mublasStatus_t mublasLtDestroy(mublasLtHandle_t lightHandle);
mublasStatus_t mublasLtMatrixLayoutCreate(mublasLtMatrixLayout_t* matLayout, musaDataType_t type,
                                          uint64_t rows, uint64_t cols, int64_t ld);
mublasStatus_t mublasLtMatrixLayoutDestroy(mublasLtMatrixLayout_t matLayout);
mublasStatus_t mublasLtMatrixLayoutSetAttribute(mublasLtMatrixLayout_t matLayout,
                                                mublasLtMatrixLayoutAttribute_t attr,
                                                const void* buf, size_t sizeInBytes);
mublasStatus_t mublasLtMatrixLayoutGetAttribute(mublasLtMatrixLayout_t matLayout,
                                                mublasLtMatrixLayoutAttribute_t attr, void* buf,
                                                size_t sizeInBytes, size_t* sizeWritten);
mublasStatus_t mublasLtMatmulDescCreate(mublasLtMatmulDesc_t* matmulDesc,
                                        mublasComputeType_t computeType, musaDataType_t scaleType);
mublasStatus_t mublasLtMatmulDescDestroy(mublasLtMatmulDesc_t matmulDesc);
mublasStatus_t mublasLtMatmulDescSetAttribute(mublasLtMatmulDesc_t matmulDesc,
                                              mublasLtMatmulDescAttributes_t attr, const void* buf,
                                              size_t sizeInBytes);
mublasStatus_t mublasLtMatmulDescGetAttribute(mublasLtMatmulDesc_t matmulDesc,
                                              mublasLtMatmulDescAttributes_t attr, void* buf,
                                              size_t sizeInBytes, size_t* sizeWritten);
mublasStatus_t mublasLtMatmulPreferenceCreate(mublasLtMatmulPreference_t* pref);
mublasStatus_t mublasLtMatmulPreferenceDestroy(mublasLtMatmulPreference_t pref);
mublasStatus_t mublasLtMatmulPreferenceSetAttribute(mublasLtMatmulPreference_t pref,
                                                    mublasLtMatmulPreferenceAttributes_t attr,
                                                    const void* buf, size_t sizeInBytes);
mublasStatus_t mublasLtMatrixTransformDescCreate(mublasLtMatrixTransformDesc_t* transformDesc,
                                                 musaDataType_t scaleType);
mublasStatus_t mublasLtMatrixTransformDescDestroy(mublasLtMatrixTransformDesc_t transformDesc);
mublasStatus_t mublasLtMatrixTransformDescSetAttribute(mublasLtMatrixTransformDesc_t transformDesc,
                                                       mublasLtMatrixTransformDescAttributes_t attr,
                                                       const void* buf, size_t sizeInBytes);
mublasStatus_t mublasLtMatmulAlgoGetIds(mublasLtHandle_t lightHandle,
                                        mublasComputeType_t computeType, musaDataType_t scaleType,
                                        musaDataType_t Atype, musaDataType_t Btype,
                                        musaDataType_t Ctype, musaDataType_t Dtype,
                                        int requestedAlgoCount, int* algoIdsArray,
                                        int* returnAlgoCount);
mublasStatus_t mublasLtMatmulAlgoInit(mublasLtHandle_t lightHandle, mublasComputeType_t computeType,
                                      musaDataType_t scaleType, musaDataType_t Atype,
                                      musaDataType_t Btype, musaDataType_t Ctype,
                                      musaDataType_t Dtype, int algoId, mublasLtMatmulAlgo_t* algo);
mublasStatus_t mublasLtMatmulAlgoCheck(mublasLtHandle_t lightHandle,
                                       mublasLtMatmulDesc_t operationDesc,
                                       mublasLtMatrixLayout_t Adesc, mublasLtMatrixLayout_t Bdesc,
                                       mublasLtMatrixLayout_t Cdesc, mublasLtMatrixLayout_t Ddesc,
                                       const mublasLtMatmulAlgo_t* algo,
                                       mublasLtMatmulHeuristicResult_t* result);
mublasStatus_t mublasLtMatmulAlgoGetHeuristic(
    mublasLtHandle_t lightHandle, mublasLtMatmulDesc_t operationDesc, mublasLtMatrixLayout_t Adesc,
    mublasLtMatrixLayout_t Bdesc, mublasLtMatrixLayout_t Cdesc, mublasLtMatrixLayout_t Ddesc,
    mublasLtMatmulPreference_t preference, int requestedAlgoCount,
    mublasLtMatmulHeuristicResult_t* heuristicResultsArray, int* returnAlgoCount);
mublasStatus_t mublasLtMatmulAlgoCapGetAttribute(const mublasLtMatmulAlgo_t* algo,
                                                 mublasLtMatmulAlgoCapAttributes_t attr, void* buf,
                                                 size_t sizeInBytes, size_t* sizeWritten);
mublasStatus_t mublasLtMatmulAlgoConfigSetAttribute(mublasLtMatmulAlgo_t* algo,
                                                    mublasLtMatmulAlgoConfigAttributes_t attr,
                                                    const void* buf, size_t sizeInBytes);
mublasStatus_t mublasLtMatmulAlgoConfigGetAttribute(const mublasLtMatmulAlgo_t* algo,
                                                    mublasLtMatmulAlgoConfigAttributes_t attr,
                                                    void* buf, size_t sizeInBytes,
                                                    size_t* sizeWritten);
mublasStatus_t mublasLtMatmul(mublasLtHandle_t lightHandle, mublasLtMatmulDesc_t computeDesc,
                              const void* alpha, const void* A, mublasLtMatrixLayout_t Adesc,
                              const void* B, mublasLtMatrixLayout_t Bdesc, const void* beta,
                              const void* C, mublasLtMatrixLayout_t Cdesc, void* D,
                              mublasLtMatrixLayout_t Ddesc, const mublasLtMatmulAlgo_t* algo,
                              void* workspace, size_t workspaceSizeInBytes, musaStream_t stream);
mublasStatus_t mublasLtMatrixTransform(mublasLtHandle_t lightHandle,
                                       mublasLtMatrixTransformDesc_t transformDesc,
                                       const void* alpha, const void* A,
                                       mublasLtMatrixLayout_t Adesc, const void* beta,
                                       const void* B, mublasLtMatrixLayout_t Bdesc, void* C,
                                       mublasLtMatrixLayout_t Cdesc, musaStream_t stream);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop
