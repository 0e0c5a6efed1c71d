#include "src/host/mublasLt/descriptors.h"

#include "src/host/shared/forward.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/narrow/elements.h"
#include "src/host/shared/never_destroyed.h"

namespace host_mublaslt {
namespace {

using host::HandleKind;

template <typename Handle>
constexpr HandleKind kKind = HandleKind::kMatrixLayout;
template <>
constexpr HandleKind kKind<mublasLtMatmulDesc_t> = HandleKind::kMatmulDescription;
template <>
constexpr HandleKind kKind<mublasLtMatmulPreference_t> = HandleKind::kMatmulPreference;
template <>
constexpr HandleKind kKind<mublasLtMatrixTransformDesc_t> = HandleKind::kTransformDescription;

template <typename Handle>
host::HandleTable<kKind<Handle>, Handle, Attributes>& table() {
  return host::never_destroyed<host::HandleTable<kKind<Handle>, Handle, Attributes>>();
}

template <typename Handle>
mublasStatus_t create(Handle* handle, const std::vector<Attribute>& attributes) {
  if (handle == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
  *handle = table<Handle>().insert(std::make_shared<Attributes>(attributes));
  return MUBLAS_STATUS_SUCCESS;
}

template <typename Handle>
mublasStatus_t destroy(Handle handle) {
  return table<Handle>().remove(handle) ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_INVALID_VALUE;
}

template <typename Handle>
mublasStatus_t set(Handle handle, int name, const void* buffer, std::size_t size) {
  const auto attributes = table<Handle>().find(handle);
  return attributes ? attributes->set(name, buffer, size) : MUBLAS_STATUS_INVALID_VALUE;
}

template <typename Handle>
mublasStatus_t get(Handle handle, int name, void* buffer, std::size_t size, std::size_t* written) {
  const auto attributes = table<Handle>().find(handle);
  return attributes ? attributes->get(name, buffer, size, written) : MUBLAS_STATUS_INVALID_VALUE;
}

bool is_compute_type(mublasComputeType_t type) {
  switch (type) {
    case MUBLAS_COMPUTE_16F:
    case MUBLAS_COMPUTE_32F:
    case MUBLAS_COMPUTE_64F:
    case MUBLAS_COMPUTE_32I:
    case MUBLAS_COMPUTE_32F_FAST_16F:
    case MUBLAS_COMPUTE_32F_FAST_TF32:
      return true;
    default:
      return false;
  }
}

constexpr int kNoType = -1;

}  // namespace

std::shared_ptr<Attributes> find(mublasLtMatrixLayout_t layout) {
  return table<mublasLtMatrixLayout_t>().find(layout);
}
std::shared_ptr<Attributes> find(mublasLtMatmulDesc_t description) {
  return table<mublasLtMatmulDesc_t>().find(description);
}
std::shared_ptr<Attributes> find(mublasLtMatmulPreference_t preference) {
  return table<mublasLtMatmulPreference_t>().find(preference);
}
std::shared_ptr<Attributes> find(mublasLtMatrixTransformDesc_t description) {
  return table<mublasLtMatrixTransformDesc_t>().find(description);
}

}  // namespace host_mublaslt

using namespace host_mublaslt;

mublasStatus_t mublasLtMatrixLayoutCreate(mublasLtMatrixLayout_t* matLayout, musaDataType_t type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  if (type < MUSA_R_32F || type > MUSA_R_8F_E5M2) return MUBLAS_STATUS_INVALID_VALUE;
  return create(matLayout, {{MUBLASLT_MATRIX_LAYOUT_TYPE, 4, type},
                            {MUBLASLT_MATRIX_LAYOUT_ORDER, 4, MUBLASLT_ORDER_COL},
                            {MUBLASLT_MATRIX_LAYOUT_ROWS, 8, static_cast<std::int64_t>(rows)},
                            {MUBLASLT_MATRIX_LAYOUT_COLS, 8, static_cast<std::int64_t>(cols)},
                            {MUBLASLT_MATRIX_LAYOUT_LD, 8, ld},
                            {MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 4, 1},
                            {MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 8, 0},
                            {MUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, 8, 0}});
}

mublasStatus_t mublasLtMatmulDescCreate(mublasLtMatmulDesc_t* matmulDesc,
                                        mublasComputeType_t computeType, musaDataType_t scaleType) {
  if (!is_compute_type(computeType) || host_narrow::element_size(scaleType) == 0) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  return create(matmulDesc, {{MUBLASLT_MATMUL_DESC_COMPUTE_TYPE, 4, computeType},
                             {MUBLASLT_MATMUL_DESC_SCALE_TYPE, 4, scaleType},
                             {MUBLASLT_MATMUL_DESC_POINTER_MODE, 4, MUBLASLT_POINTER_MODE_HOST},
                             {MUBLASLT_MATMUL_DESC_TRANSA, 4, MUBLAS_OP_N},
                             {MUBLASLT_MATMUL_DESC_TRANSB, 4, MUBLAS_OP_N},
                             {MUBLASLT_MATMUL_DESC_TRANSC, 4, MUBLAS_OP_N},
                             {MUBLASLT_MATMUL_DESC_FILL_MODE, 4, MUBLAS_FILL_MODE_FULL},
                             {MUBLASLT_MATMUL_DESC_EPILOGUE, 4, MUBLASLT_EPILOGUE_DEFAULT},
                             {MUBLASLT_MATMUL_DESC_BIAS_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, 8, 0},
                             {MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, 8, 0},
                             {MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, 8, 0},
                             {MUBLASLT_MATMUL_DESC_A_SCALE_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_B_SCALE_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_C_SCALE_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_D_SCALE_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_AMAX_D_POINTER, 8, 0},
                             {MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, 4, kNoType},
                             {MUBLASLT_MATMUL_DESC_FAST_ACCUM, 1, 0},
                             {MUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, 4, kNoType}});
}

mublasStatus_t mublasLtMatmulPreferenceCreate(mublasLtMatmulPreference_t* pref) {
  return create(pref, {{MUBLASLT_MATMUL_PREF_SEARCH_MODE, 4, 0},
                       {MUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, 8, 0},
                       {MUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, 4, 7},
                       {MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, 4, 256},
                       {MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, 4, 256},
                       {MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, 4, 256},
                       {MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, 4, 256},
                       {MUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, 4, 0},
                       {MUBLASLT_MATMUL_PREF_IMPL_MASK, 8, -1}});
}

mublasStatus_t mublasLtMatrixTransformDescCreate(mublasLtMatrixTransformDesc_t* transformDesc,
                                                 musaDataType_t scaleType) {
  if (host_narrow::element_size(scaleType) == 0) return MUBLAS_STATUS_INVALID_VALUE;
  return create(transformDesc,
                {{MUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, 4, scaleType},
                 {MUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, 4, MUBLASLT_POINTER_MODE_HOST},
                 {MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, 4, MUBLAS_OP_N},
                 {MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, 4, MUBLAS_OP_N}});
}

#define MUBLASLT_DESTROY(function) HOST_FORWARD(mublasStatus_t, 1, function, destroy, )
#define MUBLASLT_SET(function) HOST_FORWARD(mublasStatus_t, 4, function, set, )
#define MUBLASLT_GET(function) HOST_FORWARD(mublasStatus_t, 5, function, get, )

MUBLASLT_DESTROY(mublasLtMatrixLayoutDestroy)
MUBLASLT_SET(mublasLtMatrixLayoutSetAttribute)
MUBLASLT_GET(mublasLtMatrixLayoutGetAttribute)
MUBLASLT_DESTROY(mublasLtMatmulDescDestroy)
MUBLASLT_SET(mublasLtMatmulDescSetAttribute)
MUBLASLT_GET(mublasLtMatmulDescGetAttribute)
MUBLASLT_DESTROY(mublasLtMatmulPreferenceDestroy)
MUBLASLT_SET(mublasLtMatmulPreferenceSetAttribute)
MUBLASLT_DESTROY(mublasLtMatrixTransformDescDestroy)
MUBLASLT_SET(mublasLtMatrixTransformDescSetAttribute)
