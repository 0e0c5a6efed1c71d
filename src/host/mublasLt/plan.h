// A matrix product, read from its descriptors and checked.
#pragma once

#include <mublasLt.h>

#include <cstdint>

#include "src/host/shared/narrow/elements.h"
#include "src/host/shared/operands.h"

namespace host_mublaslt {

// Element (row, column) of matrix `i` of a batch is at row + column * ld + i * stride, or, if
// transposed, at column + row * ld + i * stride.
struct Matrix {
  musaDataType_t type = MUSA_R_32F;
  std::int64_t rows = 0, columns = 0, ld = 0, stride = 0;
  std::int32_t batch = 1;
  bool transposed = false;  // in memory, by its order or by the operation
  bool conjugate = false;

  std::int64_t index(std::int64_t row, std::int64_t column, std::int64_t in_batch) const {
    return in_batch * stride + (transposed ? column + row * ld : row + column * ld);
  }
  // The part of one member of the batch that is used. `data` may be null if nothing is read.
  host::Operand memory(const void* data, std::int64_t in_batch) const {
    if (data == nullptr) return {};
    return host::elements(
        host_narrow::advanced(data, type, in_batch * stride), host_narrow::element_size(type),
        transposed ? host::extent(columns, rows, ld) : host::extent(rows, columns, ld));
  }
};

// The types of the sums and of their scaling.
enum class Formula {
  kFloat,          // floats of 8 or 16 bits, or int8; summed and scaled as float
  kInteger,        // int8, summed and scaled as int32
  kScaledInteger,  // int8, summed as int32, scaled as float
  kBlasFloat,
  kBlasDouble,
  kBlasComplex,
  kBlasDoubleComplex,
};

struct Epilogue {
  bool bias = false, relu = false, gelu = false, auxiliary = false;
  const void* bias_data = nullptr;
  musaDataType_t bias_type = MUSA_R_32F;
  std::int64_t bias_stride = 0;
  void* auxiliary_data = nullptr;
  musaDataType_t auxiliary_type = MUSA_R_32F;
  std::int64_t auxiliary_ld = 0, auxiliary_stride = 0;
  // Factors in device memory. Null means 1.
  const float *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr;
  float* amax_d = nullptr;

  bool nothing() const { return !bias && !relu && !gelu; }
};

struct Plan {
  Formula formula = Formula::kFloat;
  musaDataType_t scale_type = MUSA_R_32F;
  bool scalars_on_host = true;
  Matrix a, b, c, d;
  std::int64_t m = 0, n = 0, k = 0;
  Epilogue epilogue;
};

mublasStatus_t make_plan(mublasLtMatmulDesc_t description, mublasLtMatrixLayout_t a,
                         mublasLtMatrixLayout_t b, mublasLtMatrixLayout_t c,
                         mublasLtMatrixLayout_t d, Plan* plan);

mublasStatus_t read_layout(mublasLtMatrixLayout_t layout, Matrix* matrix);

// Replaces a matrix by the operand that the operation makes of it.
bool apply_operation(std::int32_t operation, Matrix* matrix);

// Whether this library can compute the combination of types.
bool find_formula(mublasComputeType_t compute, musaDataType_t scale, musaDataType_t a,
                  musaDataType_t b, musaDataType_t c, musaDataType_t d, Formula* formula);

mublasStatus_t check_algorithm(const mublasLtMatmulAlgo_t& algorithm);

}  // namespace host_mublaslt
