// Matrix products that take their types as arguments, and those of half precision.
#include <optional>

#include "src/host/mublas/context.h"
#include "src/host/mublas/ex_blas_gemm.h"
#include "src/host/mublas/parallel.h"
#include "src/host/mublas/scalar.h"
#include "src/host/shared/narrow/elements.h"
#include "src/host/shared/narrow/plain_gemm.h"

namespace host_mublas {
namespace {

using host_narrow::Float16;

// How a combination of types is computed.
enum class Formula { kHalf, kNarrow, kInteger, kFloat, kDouble, kComplex, kDoubleComplex };

struct Types {
  musaDataType_t a, b, c;
};

std::optional<Formula> narrow_formula(musaDataType_t input, musaDataType_t output) {
  const bool narrow = input == MUSA_R_16F || input == MUSA_R_16BF;
  if (narrow && (output == input || output == MUSA_R_32F)) return Formula::kNarrow;
  if (input == MUSA_R_8I && output == MUSA_R_32F) return Formula::kNarrow;
  return {};
}

std::optional<Formula> float_formula(musaDataType_t input, musaDataType_t output) {
  if (input != output) return {};
  if (input == MUSA_R_32F) return Formula::kFloat;
  if (input == MUSA_C_32F) return Formula::kComplex;
  return {};
}

// The combinations that cuBLAS documents for cublasGemmEx.
std::optional<Formula> formula_of(const Types& types, mublasComputeType_t compute) {
  if (types.a != types.b) return {};
  switch (compute) {
    case MUBLAS_COMPUTE_16F:
      if (types.a == MUSA_R_16F && types.c == MUSA_R_16F) return Formula::kHalf;
      return {};
    case MUBLAS_COMPUTE_32I:
      if (types.a == MUSA_R_8I && types.c == MUSA_R_32I) return Formula::kInteger;
      return {};
    case MUBLAS_COMPUTE_32F:
      if (const auto formula = narrow_formula(types.a, types.c)) return formula;
      return float_formula(types.a, types.c);
    case MUBLAS_COMPUTE_32F_FAST_16F:
    case MUBLAS_COMPUTE_32F_FAST_TF32:
      return float_formula(types.a, types.c);
    case MUBLAS_COMPUTE_64F:
      if (types.a == MUSA_R_64F && types.c == MUSA_R_64F) return Formula::kDouble;
      if (types.a == MUSA_C_64F && types.c == MUSA_C_64F) return Formula::kDoubleComplex;
      return {};
    default:
      return {};
  }
}

// The older form passes the compute type as a data type.
mublasComputeType_t compute_type(musaDataType_t type) {
  switch (type) {
    case MUSA_R_16F:
      return MUBLAS_COMPUTE_16F;
    case MUSA_R_32F:
    case MUSA_C_32F:
      return MUBLAS_COMPUTE_32F;
    case MUSA_R_64F:
    case MUSA_C_64F:
      return MUBLAS_COMPUTE_64F;
    case MUSA_R_32I:
      return MUBLAS_COMPUTE_32I;
    default:
      return static_cast<mublasComputeType_t>(0);
  }
}

// How to find the matrices of a batch: by pointers in device memory, or by a stride.
struct Batch {
  int count = 1;
  bool arrays = false;
  long long stride_a = 0, stride_b = 0, stride_c = 0;
};

struct Product {
  mublasOperation_t trans_a, trans_b;
  int m, n, k;
  const void* alpha;
  const void* a;
  int lda;
  const void* b;
  int ldb;
  const void* beta;
  void* c;
  int ldc;
  Types types;
  Batch batch;

  const void* matrix_a(int i) const {
    if (batch.arrays) return static_cast<const void* const*>(a)[i];
    return host_narrow::advanced(a, types.a, i * batch.stride_a);
  }
  const void* matrix_b(int i) const {
    if (batch.arrays) return static_cast<const void* const*>(b)[i];
    return host_narrow::advanced(b, types.b, i * batch.stride_b);
  }
  void* matrix_c(int i) const {
    if (batch.arrays) return static_cast<void* const*>(c)[i];
    return host_narrow::advanced(c, types.c, i * batch.stride_c);
  }
};

bool may_use_all(const Product& p, int depth) {
  const auto usable = [](const void* data, musaDataType_t type, bool transposed, int rows,
                         int columns, int ld) {
    const auto count =
        transposed ? host::extent(columns, rows, ld) : host::extent(rows, columns, ld);
    return host::may_use(host::elements(data, host_narrow::element_size(type), count));
  };
  const auto pointers = [&](const void* array) {
    return host::elements(array, sizeof(void*), p.batch.arrays ? p.batch.count : 0);
  };
  if (!host::may_use({pointers(p.a), pointers(p.b), pointers(p.c)})) return false;
  for (int i = 0; i < p.batch.count; ++i) {
    if (!usable(p.matrix_c(i), p.types.c, false, p.m, p.n, p.ldc)) return false;
    if (depth == 0) continue;
    if (!usable(p.matrix_a(i), p.types.a, p.trans_a != MUBLAS_OP_N, p.m, depth, p.lda) ||
        !usable(p.matrix_b(i), p.types.b, p.trans_b != MUBLAS_OP_N, depth, p.n, p.ldb)) {
      return false;
    }
  }
  return true;
}

bool valid_operation(mublasOperation_t operation) {
  return operation == MUBLAS_OP_N || operation == MUBLAS_OP_T || operation == MUBLAS_OP_C;
}

template <typename T>
void compute_with_blas(const Product& p, T alpha, T beta, int depth) {
  const auto operation = [](mublasOperation_t trans) {
    return blas_operation(trans != MUBLAS_OP_N,
                          host_narrow::IsComplex<T>::value && trans == MUBLAS_OP_C);
  };
  const double each = static_cast<double>(p.m) * p.n * depth;
  for_each_member(p.batch.count, each, [&](int i) {
    const auto* const a = static_cast<const T*>(p.matrix_a(i));
    const auto* const b = static_cast<const T*>(p.matrix_b(i));
    auto* const c = static_cast<T*>(p.matrix_c(i));
    by_blocks(p.m, p.n, depth, [&](const Block& part) {
      const T* const rows = depth == 0 ? a : rows_of(a, p.trans_a == MUBLAS_OP_N, p.lda, part.row);
      const T* const columns =
          depth == 0 ? b : rows_of(b, p.trans_b != MUBLAS_OP_N, p.ldb, part.column);
      blas_gemm<T>(part.rows, part.columns, depth, alpha, {operation(p.trans_a), rows, p.lda},
                   {operation(p.trans_b), columns, p.ldb}, beta,
                   c + part.row + static_cast<std::ptrdiff_t>(part.column) * p.ldc, p.ldc);
    });
  });
}

// int32 sums wrap around, so they are computed as unsigned.
template <typename Sum>
Sum scaled(Sum alpha, Sum sum, Sum beta, Sum before) {
  using Number = std::conditional_t<std::is_integral_v<Sum>, std::uint32_t, Sum>;
  Number result = static_cast<Number>(alpha) * static_cast<Number>(sum);
  if (beta != Sum{0}) result += static_cast<Number>(beta) * static_cast<Number>(before);
  return static_cast<Sum>(result);
}

// A multiplication of plain_gemm takes so much longer than one of OpenBLAS.
constexpr double kPlainly = 8;

template <typename Sum>
void compute_plainly(const Product& p, Sum alpha, Sum beta, int depth) {
  const double each = kPlainly * p.m * p.n * depth;
  for_each_member(p.batch.count, each, [&](int i) {
    const host_narrow::Operand a{p.matrix_a(i), p.types.a, p.lda, p.trans_a != MUBLAS_OP_N};
    const host_narrow::Operand b{p.matrix_b(i), p.types.b, p.ldb, p.trans_b != MUBLAS_OP_N};
    void* const c = p.matrix_c(i);
    const auto store_tile = [&](const host_narrow::Tile<Sum>& tile) {
      for (int column = 0; column < tile.columns; ++column) {
        for (int row = 0; row < tile.rows; ++row) {
          const std::int64_t index = tile.row + row + (tile.column + column) * p.ldc;
          const Sum before = beta == Sum{0} ? Sum{0} : host_narrow::load<Sum>(p.types.c, c, index);
          const Sum sum = tile.sums[static_cast<std::size_t>(column) * tile.kRows + row];
          host_narrow::store(p.types.c, c, index, scaled(alpha, sum, beta, before));
        }
      }
    };
    host_narrow::plain_gemm(p.m, p.n, depth, a, b, host_narrow::TakeTile<Sum>(store_tile));
  });
}

// `Stored` is the type of the scalars in memory, `Number` the type to compute with.
template <typename Stored, typename Number, typename Compute>
mublasStatus_t start_product(const Settings& settings, const Product& p, Compute compute) {
  const Stored zero{};
  const Scalar<Stored> alpha = p.k == 0
                                   ? Scalar<Stored>(Settings{}, &zero)
                                   : Scalar<Stored>(settings, static_cast<const Stored*>(p.alpha));
  const Scalar<Stored> beta(settings, static_cast<const Stored*>(p.beta));
  const double cost = kPlainly * host::cost_of_product<Number>(p.m, p.n, p.k) * p.batch.count;
  return start(settings, cost, {alpha.operand(), beta.operand()}, [=] {
    const auto alpha_value = host_narrow::widened<Number>(alpha.value());
    // With alpha 0, A and B must not be read: they may be null or hold NaN.
    const int depth = alpha_value == Number{0} ? 0 : p.k;
    if (!may_use_all(p, depth)) return;
    compute(p, alpha_value, host_narrow::widened<Number>(beta.value()), depth);
  });
}

bool is_host_zero(const Settings& settings, const Product& p, Formula formula) {
  if (p.k == 0) return true;
  if (!settings.scalars_on_host()) return false;
  switch (formula) {
    case Formula::kHalf:
      return static_cast<float>(*static_cast<const Float16*>(p.alpha)) == 0.0F;
    case Formula::kInteger:
      return *static_cast<const std::int32_t*>(p.alpha) == 0;
    case Formula::kDouble:
      return *static_cast<const double*>(p.alpha) == 0;
    case Formula::kComplex:
      return *static_cast<const std::complex<float>*>(p.alpha) == std::complex<float>{};
    case Formula::kDoubleComplex:
      return *static_cast<const std::complex<double>*>(p.alpha) == std::complex<double>{};
    default:
      return *static_cast<const float*>(p.alpha) == 0.0F;
  }
}

mublasStatus_t gemm(mublasHandle_t handle, const Product& p, mublasComputeType_t compute,
                    mublasGemmAlgo_t algo) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!valid_operation(p.trans_a) || !valid_operation(p.trans_b) ||
      (algo != MUBLAS_GEMM_DEFAULT && algo != MUBLAS_GEMM_DEFAULT_TENSOR_OP)) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  const auto formula = formula_of(p.types, compute);
  if (!formula) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  const int rows_a = p.trans_a == MUBLAS_OP_N ? p.m : p.k;
  const int rows_b = p.trans_b == MUBLAS_OP_N ? p.k : p.n;
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.lda < rows_a || p.ldb < rows_b || p.ldc < p.m ||
      p.batch.count < 0) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (p.m == 0 || p.n == 0 || p.batch.count == 0) return MUBLAS_STATUS_SUCCESS;
  if (!p.beta || !p.c || (!p.alpha && p.k != 0)) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  Product product = p;
  if (is_host_zero(settings, p, *formula)) {
    product.k = 0;
  } else if (!p.a || !p.b) {
    return MUBLAS_STATUS_INVALID_POINTER;
  }
  if (product.k == 0 && p.batch.arrays && (!p.a || !p.b)) {
    product.a = product.b = p.c;  // with no products to add, these pointers are not followed
  }

  switch (*formula) {
    case Formula::kHalf:
      return start_product<Float16, float>(settings, product, compute_plainly<float>);
    case Formula::kNarrow:
      return start_product<float, float>(settings, product, compute_plainly<float>);
    case Formula::kInteger:
      return start_product<std::int32_t, std::int32_t>(settings, product,
                                                       compute_plainly<std::int32_t>);
    case Formula::kFloat:
      return start_product<float, float>(settings, product, compute_with_blas<float>);
    case Formula::kDouble:
      return start_product<double, double>(settings, product, compute_with_blas<double>);
    case Formula::kComplex:
      return start_product<std::complex<float>, std::complex<float>>(
          settings, product, compute_with_blas<std::complex<float>>);
    case Formula::kDoubleComplex:
      return start_product<std::complex<double>, std::complex<double>>(
          settings, product, compute_with_blas<std::complex<double>>);
  }
  return MUBLAS_STATUS_INTERNAL_ERROR;
}

constexpr Types kHalves{MUSA_R_16F, MUSA_R_16F, MUSA_R_16F};

}  // namespace
}  // namespace host_mublas

using namespace host_mublas;

// The calls differ in how they name the compute type, and in how they find the matrices of a batch.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_PRODUCT(a, b, c, types, ...)                                                    \
  Product {                                                                                    \
    transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, types, Batch { __VA_ARGS__ } \
  }
#define MUBLAS_GEMM_EX(Compute, compute)                                                          \
  mublasStatus_t mublasGemmEx(MUBLAS_ARGS_GEMMEX(Compute)) {                                      \
    return gemm(handle, MUBLAS_PRODUCT(A, B, C, (Types{Atype, Btype, Ctype})), compute, algo);    \
  }                                                                                               \
  mublasStatus_t mublasGemmBatchedEx(MUBLAS_ARGS_GEMMBATCHEDEX(Compute)) {                        \
    return gemm(handle,                                                                           \
                MUBLAS_PRODUCT(A, B, const_cast<void**>(C), (Types{Atype, Btype, Ctype}),         \
                               batchCount, true),                                                 \
                compute, algo);                                                                   \
  }                                                                                               \
  mublasStatus_t mublasGemmStridedBatchedEx(MUBLAS_ARGS_GEMMSTRIDEDBATCHEDEX(Compute)) {          \
    return gemm(handle,                                                                           \
                MUBLAS_PRODUCT(A, B, C, (Types{Atype, Btype, Ctype}), batchCount, false, strideA, \
                               strideB, strideC),                                                 \
                compute, algo);                                                                   \
  }
MUBLAS_GEMM_EX(mublasComputeType_t, computeType)
MUBLAS_GEMM_EX(musaDataType_t, compute_type(computeType))

mublasStatus_t mublasHgemm(MUBLAS_ARGS_GEMM(__half)) {
  return gemm(handle, MUBLAS_PRODUCT(A, B, C, kHalves), MUBLAS_COMPUTE_16F, MUBLAS_GEMM_DEFAULT);
}

mublasStatus_t mublasHgemmBatched(MUBLAS_ARGS_GEMMBATCHED(__half)) {
  return gemm(
      handle,
      MUBLAS_PRODUCT(Aarray, Barray, const_cast<__half**>(Carray), kHalves, batchCount, true),
      MUBLAS_COMPUTE_16F, MUBLAS_GEMM_DEFAULT);
}

mublasStatus_t mublasHgemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(__half)) {
  return gemm(handle,
              MUBLAS_PRODUCT(A, B, C, kHalves, batchCount, false, strideA, strideB, strideC),
              MUBLAS_COMPUTE_16F, MUBLAS_GEMM_DEFAULT);
}
// NOLINTEND(bugprone-macro-parentheses)
