// C = alpha op(A) + beta op(B), element by element.
#include "src/host/mublas/in_stream.h"
#include "src/host/mublasLt/descriptors.h"
#include "src/host/mublasLt/plan.h"
#include "src/host/mublasLt/scalars.h"
#include "src/host/shared/narrow/elements.h"

namespace host_mublaslt {
namespace {

struct Source {
  const void* data;
  Matrix matrix;
  Scalar factor;
};

struct Transform {
  Source a, b;
  void* c;
  Matrix matrix;
};

template <typename Number>
Number term(const Source& source, Number factor, std::int64_t row, std::int64_t column,
            std::int64_t in_batch) {
  auto element = host_narrow::load<Number>(source.matrix.type, source.data,
                                           source.matrix.index(row, column, in_batch));
  if constexpr (host_narrow::IsComplex<Number>::value) {
    if (source.matrix.conjugate) element = std::conj(element);
  }
  return factor * element;
}

template <typename Number>
void compute(const Transform& transform) {
  const Matrix& c = transform.matrix;
  if (!host::may_use({transform.a.factor.operand(), transform.b.factor.operand()})) return;
  // A matrix with the factor 0 is not read.
  const auto alpha = transform.a.factor.value<Number>();
  const auto beta = transform.b.factor.value<Number>();
  const bool reads_a = transform.a.data != nullptr && alpha != Number{};
  const bool reads_b = transform.b.data != nullptr && beta != Number{};
  for (std::int32_t i = 0; i < c.batch; ++i) {
    if (!host::may_use({c.memory(transform.c, i),
                        transform.a.matrix.memory(reads_a ? transform.a.data : nullptr, i),
                        transform.b.matrix.memory(reads_b ? transform.b.data : nullptr, i)})) {
      return;
    }
  }
  for (std::int32_t i = 0; i < c.batch; ++i) {
    for (std::int64_t column = 0; column < c.columns; ++column) {
      for (std::int64_t row = 0; row < c.rows; ++row) {
        Number sum{};
        if (reads_a) sum = term(transform.a, alpha, row, column, i);
        if (reads_b) sum += term(transform.b, beta, row, column, i);
        host_narrow::store(c.type, transform.c, c.index(row, column, i), sum);
      }
    }
  }
}

bool is_complex(musaDataType_t type) { return type == MUSA_C_32F || type == MUSA_C_64F; }

// A missing matrix counts as zeros.
mublasStatus_t read_source(mublasLtMatrixLayout_t layout, std::int32_t operation, const void* data,
                           const Matrix& result, Matrix* matrix) {
  if (data == nullptr) return MUBLAS_STATUS_SUCCESS;
  const auto status = read_layout(layout, matrix);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  if (!apply_operation(operation, matrix) || matrix->rows != result.rows ||
      matrix->columns != result.columns || matrix->batch != result.batch) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  return is_complex(matrix->type) == is_complex(result.type) ? MUBLAS_STATUS_SUCCESS
                                                             : MUBLAS_STATUS_NOT_IMPLEMENTED;
}

}  // namespace
}  // namespace host_mublaslt

using namespace host_mublaslt;

extern "C" mublasStatus_t mublasLtMatrixTransform(
    mublasLtHandle_t lightHandle, mublasLtMatrixTransformDesc_t transformDesc, const void* alpha,
    const void* A, mublasLtMatrixLayout_t Adesc, const void* beta, const void* B,
    mublasLtMatrixLayout_t Bdesc, void* C, mublasLtMatrixLayout_t Cdesc, musaStream_t stream) {
  if (!is_live(lightHandle)) return MUBLAS_STATUS_INVALID_HANDLE;
  const auto description = find(transformDesc);
  if (!description) return MUBLAS_STATUS_INVALID_VALUE;
  const auto number = [&](int name) { return description->value<std::int32_t>(name); };
  Matrix a, b, c;
  auto status = read_layout(Cdesc, &c);
  if (status == MUBLAS_STATUS_SUCCESS) {
    status = read_source(Adesc, number(MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA), A, c, &a);
  }
  if (status == MUBLAS_STATUS_SUCCESS) {
    status = read_source(Bdesc, number(MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB), B, c, &b);
  }
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  const auto mode = number(MUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE);
  if (mode != MUBLASLT_POINTER_MODE_HOST && mode != MUBLASLT_POINTER_MODE_DEVICE) {
    return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  const auto type = static_cast<musaDataType_t>(number(MUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE));
  if (is_complex(type) != is_complex(c.type)) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  if (c.rows == 0 || c.columns == 0 || c.batch == 0) return MUBLAS_STATUS_SUCCESS;
  if (C == nullptr || (A != nullptr && alpha == nullptr) || (B != nullptr && beta == nullptr)) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }

  constexpr std::array<unsigned char, 16> kZero{};
  const bool on_host = mode == MUBLASLT_POINTER_MODE_HOST;
  const auto factor = [&](const void* data, const void* pointer) {
    return data == nullptr ? Scalar(true, type, kZero.data()) : Scalar(on_host, type, pointer);
  };
  const Transform transform{{A, a, factor(A, alpha)}, {B, b, factor(B, beta)}, C, c};
  switch (type) {
    case MUSA_R_32F:
    case MUSA_R_16F:
      return host_mublas::start_gated(stream, [=] { compute<float>(transform); });
    case MUSA_R_64F:
    case MUSA_R_32I:  // double represents every int32 exactly, and also sums and products of a few
      return host_mublas::start_gated(stream, [=] { compute<double>(transform); });
    case MUSA_C_32F:
      return host_mublas::start_gated(stream, [=] { compute<std::complex<float>>(transform); });
    case MUSA_C_64F:
      return host_mublas::start_gated(stream, [=] { compute<std::complex<double>>(transform); });
    default:
      return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
}
