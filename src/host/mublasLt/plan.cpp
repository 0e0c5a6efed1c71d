#include "src/host/mublasLt/plan.h"

#include <limits>
#include <utility>

#include "src/host/mublasLt/descriptors.h"
#include "src/host/shared/narrow/elements.h"

namespace host_mublaslt {
namespace {

bool is_float8(musaDataType_t type) { return type == MUSA_R_8F_E4M3 || type == MUSA_R_8F_E5M2; }

bool is_half(musaDataType_t type) { return type == MUSA_R_16F || type == MUSA_R_16BF; }

bool float8_types(musaDataType_t a, musaDataType_t b, musaDataType_t c, musaDataType_t d) {
  if (!is_float8(a) || !is_float8(b) || (a == MUSA_R_8F_E5M2 && b == MUSA_R_8F_E5M2)) return false;
  if (c == MUSA_R_32F) return d == MUSA_R_32F;
  if (!is_half(c)) return false;
  return d == c || d == MUSA_R_8F_E4M3 || (d == MUSA_R_8F_E5M2 && a != b);
}

bool narrow_types(musaDataType_t a, musaDataType_t c) {
  return (is_half(a) && (c == a || c == MUSA_R_32F)) || (a == MUSA_R_8I && c == MUSA_R_32F);
}

bool float_formula(musaDataType_t scale, musaDataType_t a, musaDataType_t c, Formula* formula) {
  if (a != c || scale != a || (a != MUSA_R_32F && a != MUSA_C_32F)) return false;
  *formula = a == MUSA_R_32F ? Formula::kBlasFloat : Formula::kBlasComplex;
  return true;
}

bool integer_formula(musaDataType_t scale, musaDataType_t a, musaDataType_t c, Formula* formula) {
  if (a != MUSA_R_8I) return false;
  if (scale == MUSA_R_32I && c == MUSA_R_32I) {
    *formula = Formula::kInteger;
    return true;
  }
  *formula = Formula::kScaledInteger;
  return scale == MUSA_R_32F && c == MUSA_R_8I;
}

bool double_formula(musaDataType_t scale, musaDataType_t a, musaDataType_t c, Formula* formula) {
  if (a != c || scale != a || (a != MUSA_R_64F && a != MUSA_C_64F)) return false;
  *formula = a == MUSA_R_64F ? Formula::kBlasDouble : Formula::kBlasDoubleComplex;
  return true;
}

bool decode_epilogue(std::int32_t epilogue, Epilogue* result) {
  constexpr int kAuxiliary = 128;
  switch (epilogue) {
    case MUBLASLT_EPILOGUE_DEFAULT:
    case MUBLASLT_EPILOGUE_BIAS:
    case MUBLASLT_EPILOGUE_RELU:
    case MUBLASLT_EPILOGUE_RELU_BIAS:
    case MUBLASLT_EPILOGUE_RELU_AUX:
    case MUBLASLT_EPILOGUE_RELU_AUX_BIAS:
    case MUBLASLT_EPILOGUE_GELU:
    case MUBLASLT_EPILOGUE_GELU_BIAS:
    case MUBLASLT_EPILOGUE_GELU_AUX:
    case MUBLASLT_EPILOGUE_GELU_AUX_BIAS:
      result->bias = (epilogue & MUBLASLT_EPILOGUE_BIAS) != 0;
      result->relu = (epilogue & MUBLASLT_EPILOGUE_RELU) != 0;
      result->gelu = (epilogue & MUBLASLT_EPILOGUE_GELU) != 0;
      result->auxiliary = (epilogue & kAuxiliary) != 0;
      return true;
    default:
      return false;
  }
}

// The default that CUDA documents.
musaDataType_t default_bias_type(const Plan& plan) {
  if (is_float8(plan.d.type)) return plan.c.type;
  if (is_float8(plan.a.type) && plan.d.type == MUSA_R_32F) return MUSA_R_16BF;
  return plan.d.type == MUSA_R_8I ? MUSA_R_32F : plan.d.type;
}

mublasStatus_t read_epilogue(const Attributes& description, Plan* plan) {
  Epilogue& epilogue = plan->epilogue;
  if (!decode_epilogue(description.value<std::int32_t>(MUBLASLT_MATMUL_DESC_EPILOGUE), &epilogue)) {
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  const bool real = plan->formula == Formula::kFloat || plan->formula == Formula::kScaledInteger ||
                    plan->formula == Formula::kBlasFloat || plan->formula == Formula::kBlasDouble;
  if (!epilogue.nothing() && !real) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  const auto type = [&](int name, musaDataType_t otherwise) {
    const auto value = description.value<std::int32_t>(name);
    return value < 0 ? otherwise : static_cast<musaDataType_t>(value);
  };
  if (epilogue.bias) {
    epilogue.bias_data = description.value<const void*>(MUBLASLT_MATMUL_DESC_BIAS_POINTER);
    epilogue.bias_stride = description.value<std::int64_t>(MUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE);
    epilogue.bias_type = type(MUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, default_bias_type(*plan));
    if (epilogue.bias_data == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
    if (host_narrow::element_size(epilogue.bias_type) == 0) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  if (epilogue.auxiliary) {
    epilogue.auxiliary_data = description.value<void*>(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER);
    epilogue.auxiliary_ld = description.value<std::int64_t>(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD);
    epilogue.auxiliary_stride =
        description.value<std::int64_t>(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE);
    epilogue.auxiliary_type = type(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, plan->d.type);
    // For a mask, the leading dimension counts bits; columns still start at whole bytes.
    const std::int64_t multiple = epilogue.relu ? 128 : 8;
    if (epilogue.auxiliary_data == nullptr || epilogue.auxiliary_ld < plan->m ||
        epilogue.auxiliary_ld % multiple != 0) {
      return MUBLAS_STATUS_INVALID_VALUE;
    }
    if (host_narrow::element_size(epilogue.auxiliary_type) == 0) {
      return MUBLAS_STATUS_NOT_IMPLEMENTED;
    }
  }
  epilogue.scale_a = description.value<const float*>(MUBLASLT_MATMUL_DESC_A_SCALE_POINTER);
  epilogue.scale_b = description.value<const float*>(MUBLASLT_MATMUL_DESC_B_SCALE_POINTER);
  epilogue.scale_c = description.value<const float*>(MUBLASLT_MATMUL_DESC_C_SCALE_POINTER);
  epilogue.scale_d = description.value<const float*>(MUBLASLT_MATMUL_DESC_D_SCALE_POINTER);
  epilogue.amax_d = description.value<float*>(MUBLASLT_MATMUL_DESC_AMAX_D_POINTER);
  const bool scales = epilogue.scale_a || epilogue.scale_b || epilogue.scale_c ||
                      epilogue.scale_d || epilogue.amax_d;
  if (scales && plan->formula != Formula::kFloat) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  return MUBLAS_STATUS_SUCCESS;
}

bool fits_blas(const Matrix& matrix) {
  return matrix.ld <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

mublasStatus_t read_layout(mublasLtMatrixLayout_t layout, Matrix* matrix) {
  const auto attributes = find(layout);
  if (!attributes) return MUBLAS_STATUS_INVALID_VALUE;
  matrix->type =
      static_cast<musaDataType_t>(attributes->value<std::int32_t>(MUBLASLT_MATRIX_LAYOUT_TYPE));
  matrix->rows = attributes->value<std::int64_t>(MUBLASLT_MATRIX_LAYOUT_ROWS);
  matrix->columns = attributes->value<std::int64_t>(MUBLASLT_MATRIX_LAYOUT_COLS);
  matrix->ld = attributes->value<std::int64_t>(MUBLASLT_MATRIX_LAYOUT_LD);
  matrix->batch = attributes->value<std::int32_t>(MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
  matrix->stride = attributes->value<std::int64_t>(MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
  const auto order = attributes->value<std::int32_t>(MUBLASLT_MATRIX_LAYOUT_ORDER);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (matrix->rows < 0 || matrix->columns < 0 || matrix->rows > kMost || matrix->columns > kMost ||
      matrix->batch < 0) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  if (order != MUBLASLT_ORDER_COL && order != MUBLASLT_ORDER_ROW) {
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  if (attributes->value<std::int64_t>(MUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET) != 0 ||
      host_narrow::element_size(matrix->type) == 0) {
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  matrix->transposed = order == MUBLASLT_ORDER_ROW;
  const std::int64_t shortest = matrix->transposed ? matrix->columns : matrix->rows;
  return matrix->ld < shortest ? MUBLAS_STATUS_INVALID_VALUE : MUBLAS_STATUS_SUCCESS;
}

bool apply_operation(std::int32_t operation, Matrix* matrix) {
  if (operation == MUBLAS_OP_N) return true;
  if (operation != MUBLAS_OP_T && operation != MUBLAS_OP_C) return false;
  std::swap(matrix->rows, matrix->columns);
  matrix->transposed = !matrix->transposed;
  matrix->conjugate =
      operation == MUBLAS_OP_C && (matrix->type == MUSA_C_32F || matrix->type == MUSA_C_64F);
  return true;
}

bool find_formula(mublasComputeType_t compute, musaDataType_t scale, musaDataType_t a,
                  musaDataType_t b, musaDataType_t c, musaDataType_t d, Formula* formula) {
  *formula = Formula::kFloat;
  if (compute == MUBLAS_COMPUTE_32F && scale == MUSA_R_32F && float8_types(a, b, c, d)) return true;
  if (a != b || c != d) return false;
  switch (compute) {
    case MUBLAS_COMPUTE_16F:
      return scale == MUSA_R_16F && a == MUSA_R_16F && c == MUSA_R_16F;
    case MUBLAS_COMPUTE_32F:
      return (scale == MUSA_R_32F && narrow_types(a, c)) || float_formula(scale, a, c, formula);
    case MUBLAS_COMPUTE_32F_FAST_16F:
    case MUBLAS_COMPUTE_32F_FAST_TF32:
      return float_formula(scale, a, c, formula);
    case MUBLAS_COMPUTE_64F:
      return double_formula(scale, a, c, formula);
    case MUBLAS_COMPUTE_32I:
      return integer_formula(scale, a, c, formula);
    default:
      return false;
  }
}

mublasStatus_t make_plan(mublasLtMatmulDesc_t description, mublasLtMatrixLayout_t a,
                         mublasLtMatrixLayout_t b, mublasLtMatrixLayout_t c,
                         mublasLtMatrixLayout_t d, Plan* plan) {
  const auto attributes = find(description);
  if (!attributes) return MUBLAS_STATUS_INVALID_VALUE;
  const std::pair<mublasLtMatrixLayout_t, Matrix*> layouts[] = {
      {a, &plan->a}, {b, &plan->b}, {c, &plan->c}, {d, &plan->d}};
  for (const auto& [layout, matrix] : layouts) {
    const auto status = read_layout(layout, matrix);
    if (status != MUBLAS_STATUS_SUCCESS) return status;
    if (matrix->batch != plan->a.batch) return MUBLAS_STATUS_INVALID_VALUE;
  }
  const auto number = [&](int name) { return attributes->value<std::int32_t>(name); };
  if (!apply_operation(number(MUBLASLT_MATMUL_DESC_TRANSA), &plan->a) ||
      !apply_operation(number(MUBLASLT_MATMUL_DESC_TRANSB), &plan->b)) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  plan->m = plan->d.rows;
  plan->n = plan->d.columns;
  plan->k = plan->a.columns;
  if (plan->a.rows != plan->m || plan->b.columns != plan->n || plan->b.rows != plan->k ||
      plan->c.rows != plan->m || plan->c.columns != plan->n) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  const auto mode = number(MUBLASLT_MATMUL_DESC_POINTER_MODE);
  if ((mode != MUBLASLT_POINTER_MODE_HOST && mode != MUBLASLT_POINTER_MODE_DEVICE) ||
      number(MUBLASLT_MATMUL_DESC_TRANSC) != MUBLAS_OP_N ||
      number(MUBLASLT_MATMUL_DESC_FILL_MODE) != MUBLAS_FILL_MODE_FULL) {
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  plan->scalars_on_host = mode == MUBLASLT_POINTER_MODE_HOST;
  plan->scale_type = static_cast<musaDataType_t>(number(MUBLASLT_MATMUL_DESC_SCALE_TYPE));
  const auto compute = static_cast<mublasComputeType_t>(number(MUBLASLT_MATMUL_DESC_COMPUTE_TYPE));
  if (!find_formula(compute, plan->scale_type, plan->a.type, plan->b.type, plan->c.type,
                    plan->d.type, &plan->formula) ||
      !fits_blas(plan->a) || !fits_blas(plan->b)) {
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  return read_epilogue(*attributes, plan);
}

}  // namespace host_mublaslt
