#include <algorithm>
#include <cmath>

#include "src/host/mublas/ex_blas_gemm.h"
#include "src/host/mublas/in_stream.h"
#include "src/host/mublasLt/descriptors.h"
#include "src/host/mublasLt/plan.h"
#include "src/host/mublasLt/scalars.h"
#include "src/host/shared/narrow/elements.h"
#include "src/host/shared/narrow/plain_gemm.h"

namespace host_mublaslt {
namespace {

using host_narrow::Tile;

struct Call {
  Plan plan;
  Scalar alpha, beta;
  const void* a;
  const void* b;
  const void* c;
  void* d;
};

// The approximation with tanh, computed as double so that the float is the same on every CPU.
template <typename Number>
Number gelu(Number x) {
  constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
  const auto value = static_cast<double>(x);
  const double inner = kSqrtTwoOverPi * (value + 0.044715 * value * value * value);
  return static_cast<Number>(0.5 * value * (1.0 + std::tanh(inner)));
}

void set_mask_bit(void* mask, std::int64_t bit, bool on) {
  auto& byte = static_cast<unsigned char*>(mask)[bit / 8];
  const auto flag = static_cast<unsigned char>(1U << (bit % 8));
  byte = static_cast<unsigned char>(on ? byte | flag : byte & ~flag);
}

// For a mask, the strides of columns and of the batch count bits.
template <typename Number>
void store_auxiliary(const Epilogue& epilogue, std::int64_t row, std::int64_t column,
                     std::int64_t in_batch, Number x) {
  const std::int64_t index =
      row + column * epilogue.auxiliary_ld + in_batch * epilogue.auxiliary_stride;
  if (epilogue.relu) {
    set_mask_bit(epilogue.auxiliary_data, index, x > Number{0});
  } else {
    host_narrow::store(epilogue.auxiliary_type, epilogue.auxiliary_data, index, x);
  }
}

template <typename Number>
Number apply_epilogue(const Epilogue& epilogue, std::int64_t row, std::int64_t column,
                      std::int64_t in_batch, Number x) {
  if (epilogue.bias) {
    x += host_narrow::load<Number>(epilogue.bias_type, epilogue.bias_data,
                                   row + in_batch * epilogue.bias_stride);
  }
  if (epilogue.auxiliary) store_auxiliary(epilogue, row, column, in_batch, x);
  if (epilogue.relu) return x < Number{0} ? Number{0} : x;  // NaN stays
  return epilogue.gelu ? gelu(x) : x;
}

float factor(const float* pointer) { return pointer == nullptr ? 1.0F : *pointer; }

// Turns sums into elements of D.
template <typename Sum, typename Number>
class Finish {
 public:
  explicit Finish(const Call& call)
      : call_(call), alpha_(call.alpha.value<Number>()), beta_(call.beta.value<Number>()) {
    const Epilogue& epilogue = call.plan.epilogue;
    if constexpr (std::is_same_v<Number, float>) {
      alpha_ *= factor(epilogue.scale_a) * factor(epilogue.scale_b);
      scale_c_ = factor(epilogue.scale_c);
      scale_d_ = factor(epilogue.scale_d);
    }
  }

  Number alpha() const { return alpha_; }

  void tile(const Tile<Sum>& sums, std::int64_t in_batch) {
    for (int column = 0; column < sums.columns; ++column) {
      for (int row = 0; row < sums.rows; ++row) {
        element(sums.row + row, sums.column + column, in_batch,
                sums.sums[static_cast<std::size_t>(column) * sums.kRows + row]);
      }
    }
  }

  void done() const {
    if (call_.plan.epilogue.amax_d != nullptr) *call_.plan.epilogue.amax_d = largest_;
  }

 private:
  void element(std::int64_t row, std::int64_t column, std::int64_t in_batch, Sum sum) {
    const Plan& plan = call_.plan;
    Number x = product(alpha_, static_cast<Number>(sum));
    if (beta_ != Number{}) {
      auto before =
          host_narrow::load<Number>(plan.c.type, call_.c, plan.c.index(row, column, in_batch));
      if constexpr (std::is_same_v<Number, float>) before *= scale_c_;
      x = total(x, product(beta_, before));
    }
    if constexpr (std::is_floating_point_v<Number>) {
      x = apply_epilogue(plan.epilogue, row, column, in_batch, x);
    }
    if constexpr (std::is_same_v<Number, float>) {
      if (plan.epilogue.amax_d != nullptr) largest_ = std::max(largest_, std::fabs(x));
      x *= scale_d_;
    }
    host_narrow::store(plan.d.type, call_.d, plan.d.index(row, column, in_batch), x);
  }

  // int32 wraps around.
  static Number product(Number left, Number right) {
    if constexpr (std::is_integral_v<Number>) {
      return static_cast<Number>(static_cast<std::uint32_t>(left) *
                                 static_cast<std::uint32_t>(right));
    } else {
      return left * right;
    }
  }
  static Number total(Number left, Number right) {
    if constexpr (std::is_integral_v<Number>) {
      return static_cast<Number>(static_cast<std::uint32_t>(left) +
                                 static_cast<std::uint32_t>(right));
    } else {
      return left + right;
    }
  }

  const Call& call_;
  Number alpha_, beta_;
  float scale_c_ = 1, scale_d_ = 1, largest_ = 0;
};

template <typename Sum, typename Number>
void compute_plainly(const Call& call) {
  const Plan& plan = call.plan;
  Finish<Sum, Number> finish(call);
  // With alpha 0, A and B must not be read: they may be null or hold NaN.
  const std::int64_t depth = finish.alpha() == Number{} ? 0 : plan.k;
  for (std::int32_t i = 0; i < plan.d.batch; ++i) {
    const auto operand = [&](const void* data, const Matrix& matrix) {
      return host_narrow::Operand{host_narrow::advanced(data, matrix.type, i * matrix.stride),
                                  matrix.type, matrix.ld, matrix.transposed};
    };
    const auto take = [&](const Tile<Sum>& tile) { finish.tile(tile, i); };
    host_narrow::plain_gemm(plan.m, plan.n, depth, operand(call.a, plan.a), operand(call.b, plan.b),
                            host_narrow::TakeTile<Sum>(take));
  }
  finish.done();
}

template <typename Number>
void compute_with_blas(const Call& call) {
  const Plan& plan = call.plan;
  Finish<Number, Number> finish(call);
  const int depth = finish.alpha() == Number{} ? 0 : static_cast<int>(plan.k);
  Tile<Number> tile;
  // An operand that starts at this row or column of the product.
  const auto operand = [](const void* data, const Matrix& matrix, std::int64_t row,
                          std::int64_t column, std::int64_t in_batch) {
    return host_mublas::BlasOperand<Number>{
        host_mublas::blas_operation(matrix.transposed, matrix.conjugate),
        static_cast<const Number*>(
            host_narrow::advanced(data, matrix.type, matrix.index(row, column, in_batch))),
        static_cast<int>(matrix.ld)};
  };
  for (std::int32_t i = 0; i < plan.d.batch; ++i) {
    for (tile.column = 0; tile.column < plan.n; tile.column += tile.kColumns) {
      tile.columns = static_cast<int>(std::min<std::int64_t>(tile.kColumns, plan.n - tile.column));
      for (tile.row = 0; tile.row < plan.m; tile.row += tile.kRows) {
        tile.rows = static_cast<int>(std::min<std::int64_t>(tile.kRows, plan.m - tile.row));
        host_mublas::blas_gemm<Number>(
            tile.rows, tile.columns, depth, Number{1}, operand(call.a, plan.a, tile.row, 0, i),
            operand(call.b, plan.b, 0, tile.column, i), Number{0}, tile.sums.data(), tile.kRows);
        finish.tile(tile, i);
      }
    }
  }
}

// What the epilogue uses for one matrix of the batch.
host::Operands epilogue_operands(const Plan& plan, std::int64_t in_batch) {
  const Epilogue& epilogue = plan.epilogue;
  host::Operands used{};
  if (epilogue.bias) {
    const std::size_t size = host_narrow::element_size(epilogue.bias_type);
    used[0] = host::elements(host_narrow::advanced(epilogue.bias_data, epilogue.bias_type,
                                                   in_batch * epilogue.bias_stride),
                             size, plan.m);
  }
  if (epilogue.auxiliary) {
    const std::int64_t last =
        host::extent(plan.m, plan.n, epilogue.auxiliary_ld) + in_batch * epilogue.auxiliary_stride;
    const bool mask = epilogue.relu;
    used[1] = host::elements(epilogue.auxiliary_data,
                             mask ? 1 : host_narrow::element_size(epilogue.auxiliary_type),
                             mask ? (last + 7) / 8 : last);
  }
  return used;
}

bool may_use_all(const Call& call) {
  const Plan& plan = call.plan;
  const Epilogue& epilogue = plan.epilogue;
  const auto one = [](const float* factor) {
    return host::array(factor, factor == nullptr ? 0 : 1);
  };
  if (!host::may_use({call.alpha.operand(), call.beta.operand(), one(epilogue.amax_d)}) ||
      !host::may_use({one(epilogue.scale_a), one(epilogue.scale_b), one(epilogue.scale_c),
                      one(epilogue.scale_d)})) {
    return false;
  }
  using Any = std::complex<double>;
  const bool reads_product = plan.k != 0 && call.alpha.value<Any>() != Any{};
  const bool reads_c = call.beta.value<Any>() != Any{};
  for (std::int32_t i = 0; i < plan.d.batch; ++i) {
    const host::Operands used{plan.a.memory(reads_product ? call.a : nullptr, i),
                              plan.b.memory(reads_product ? call.b : nullptr, i),
                              plan.c.memory(reads_c ? call.c : nullptr, i),
                              plan.d.memory(call.d, i)};
    if (!host::may_use(used) || !host::may_use(epilogue_operands(plan, i))) return false;
  }
  return true;
}

void compute(const Call& call) {
  if (!may_use_all(call)) return;
  switch (call.plan.formula) {
    case Formula::kFloat:
      return compute_plainly<float, float>(call);
    case Formula::kInteger:
      return compute_plainly<std::int32_t, std::int32_t>(call);
    case Formula::kScaledInteger:
      return compute_plainly<std::int32_t, float>(call);
    case Formula::kBlasFloat:
      return compute_with_blas<float>(call);
    case Formula::kBlasDouble:
      return compute_with_blas<double>(call);
    case Formula::kBlasComplex:
      return compute_with_blas<std::complex<float>>(call);
    case Formula::kBlasDoubleComplex:
      return compute_with_blas<std::complex<double>>(call);
  }
}

}  // namespace
}  // namespace host_mublaslt

using namespace host_mublaslt;

// The workspace is not used.
extern "C" mublasStatus_t mublasLtMatmul(mublasLtHandle_t lightHandle,
                                         mublasLtMatmulDesc_t computeDesc, const void* alpha,
                                         const void* A, mublasLtMatrixLayout_t Adesc, const void* B,
                                         mublasLtMatrixLayout_t Bdesc, const void* beta,
                                         const void* C, mublasLtMatrixLayout_t Cdesc, void* D,
                                         mublasLtMatrixLayout_t Ddesc,
                                         const mublasLtMatmulAlgo_t* algo, void* /*workspace*/,
                                         size_t /*workspaceSizeInBytes*/, musaStream_t stream) {
  if (!is_live(lightHandle)) return MUBLAS_STATUS_INVALID_HANDLE;
  Plan plan;
  auto status = make_plan(computeDesc, Adesc, Bdesc, Cdesc, Ddesc, &plan);
  if (status == MUBLAS_STATUS_SUCCESS && algo != nullptr) status = check_algorithm(*algo);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  if (plan.m == 0 || plan.n == 0 || plan.d.batch == 0) return MUBLAS_STATUS_SUCCESS;
  if (alpha == nullptr || beta == nullptr || D == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
  const Call call{plan,
                  Scalar(plan.scalars_on_host, plan.scale_type, alpha),
                  Scalar(plan.scalars_on_host, plan.scale_type, beta),
                  A,
                  B,
                  C,
                  D};
  const bool reads_product = plan.k != 0 && !call.alpha.is_zero();
  if ((reads_product && (A == nullptr || B == nullptr)) || (C == nullptr && !call.beta.is_zero())) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  // Those that OpenBLAS does not compute take longer.
  constexpr double kPlainly = 8;
  const double cost =
      kPlainly * plan.d.batch *
      host::cost_of_product<float>(static_cast<double>(plan.m), static_cast<double>(plan.n),
                                   static_cast<double>(plan.k));
  return host_mublas::start_gated(
      stream, [call] { compute(call); }, cost);
}
