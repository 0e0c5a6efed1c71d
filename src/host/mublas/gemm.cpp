// gemm and its batches.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/parallel.h"
#include "src/host/mublas/product.h"

namespace host_mublas {
namespace {

// What all members of a batch share.
struct GemmShape {
  mublasOperation_t trans_a, trans_b;
  int m, n, k, lda, ldb, ldc;

  mublasStatus_t check() const {
    if (!is_operation(trans_a) || !is_operation(trans_b)) return MUBLAS_STATUS_INVALID_VALUE;
    const int rows_a = trans_a == MUBLAS_OP_N ? m : k;
    const int rows_b = trans_b == MUBLAS_OP_N ? k : n;
    if (m < 0 || n < 0 || k < 0 || lda < rows_a || ldb < rows_b || ldc < m) {
      return MUBLAS_STATUS_INVALID_SIZE;
    }
    return MUBLAS_STATUS_SUCCESS;
  }
  bool empty() const { return m == 0 || n == 0; }

  template <typename T>
  ProductOperands operands(const T* a, const T* b, const T* c) const {
    const bool plain_a = trans_a == MUBLAS_OP_N;
    const bool plain_b = trans_b == MUBLAS_OP_N;
    return {host::matrix(a, plain_a ? m : k, plain_a ? k : m, lda),
            host::matrix(b, plain_b ? k : n, plain_b ? n : k, ldb), host::matrix(c, m, n, ldc),
            host::cost_of_product<T>(m, n, k)};
  }

  // With alpha 0, A and B must not be read: they may be null or hold NaN.
  template <typename T>
  bool reads_inputs(const T& alpha) const {
    return k != 0 && alpha != T{};
  }

  template <typename T>
  double multiplications(const T& alpha) const {
    return static_cast<double>(m) * n * (reads_inputs(alpha) ? k : 0);
  }

  template <typename T>
  void compute(const T& alpha, const T* a, const T* b, const T& beta, T* c) const {
    const int depth = reads_inputs(alpha) ? k : 0;
    by_blocks(m, n, depth, [&](const Block& part) {
      const T* const rows = depth == 0 ? a : rows_of(a, trans_a == MUBLAS_OP_N, lda, part.row);
      const T* const columns =
          depth == 0 ? b : rows_of(b, trans_b != MUBLAS_OP_N, ldb, part.column);
      Cblas<T>::gemm(CblasColMajor, transpose<T>(trans_a), transpose<T>(trans_b), part.rows,
                     part.columns, depth, scalar(alpha), rows, leading(lda), columns, leading(ldb),
                     scalar(beta), column(c, ldc, part.column) + part.row, leading(ldc));
    });
  }
};

template <typename T>
mublasStatus_t gemm(mublasHandle_t handle, const GemmShape& shape, const T* alpha, const T* a,
                    const T* b, const T* beta, T* c) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (shape.empty()) return MUBLAS_STATUS_SUCCESS;
  return start_product(context->settings(), shape.k != 0, alpha, beta, shape.operands(a, b, c),
                       [=](T by, T keep) { shape.compute(by, a, b, keep, c); });
}

template <typename T>
mublasStatus_t gemm_batched(mublasHandle_t handle, const GemmShape& shape, const T* alpha,
                            const T* const* a, const T* const* b, const T* beta, T* const* c,
                            int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  return start_product(
      context->settings(), shape.k != 0, alpha, beta,
      {host::array(a, count), host::array(b, count), host::array(c, count),
       shape.operands<T>(nullptr, nullptr, nullptr).cost * count},
      [=](T by, T keep) {
        const bool reads = shape.reads_inputs(by);
        const auto usable = [&](int i) {
          const auto used = shape.operands(reads ? a[i] : nullptr, reads ? b[i] : nullptr, c[i]);
          return host::may_use(used.output) &&
                 (!reads || (host::may_use(used.a) && host::may_use(used.b)));
        };
        if (!all_members(count, usable)) return;
        for_each_member(count, shape.multiplications(by), [&](int i) {
          shape.compute(by, reads ? a[i] : nullptr, reads ? b[i] : nullptr, keep, c[i]);
        });
      });
}

template <typename T>
mublasStatus_t gemm_strided(mublasHandle_t handle, const GemmShape& shape, const T* alpha,
                            const T* a, long long stride_a, const T* b, long long stride_b,
                            const T* beta, T* c, long long stride_c, int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  const auto [one_a, one_b, one_c, cost] = shape.operands(a, b, c);
  const ProductOperands all{host::batch(a, one_a, count, stride_a),
                            host::batch(b, one_b, count, stride_b),
                            host::batch(c, one_c, count, stride_c), cost * count};
  return start_product(context->settings(), shape.k != 0, alpha, beta, all, [=](T by, T keep) {
    const bool reads = shape.reads_inputs(by);
    for_each_member(count, shape.multiplications(by), [&](int i) {
      shape.compute(by, reads ? a + i * stride_a : nullptr, reads ? b + i * stride_b : nullptr,
                    keep, c + i * stride_c);
    });
  });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_GEMM(letter, T, R)                                                                 \
  mublasStatus_t mublas##letter##gemm(MUBLAS_ARGS_GEMM(T)) {                                      \
    return host_mublas::gemm(handle, {transA, transB, m, n, k, lda, ldb, ldc}, native(alpha),     \
                             native(A), native(B), native(beta), native(C));                      \
  }                                                                                               \
  mublasStatus_t mublas##letter##gemmBatched(MUBLAS_ARGS_GEMMBATCHED(T)) {                        \
    return host_mublas::gemm_batched(handle, {transA, transB, m, n, k, lda, ldb, ldc},            \
                                     native(alpha), native(Aarray), native(Barray), native(beta), \
                                     native(Carray), batchCount);                                 \
  }                                                                                               \
  mublasStatus_t mublas##letter##gemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(T)) {          \
    return host_mublas::gemm_strided(handle, {transA, transB, m, n, k, lda, ldb, ldc},            \
                                     native(alpha), native(A), strideA, native(B), strideB,       \
                                     native(beta), native(C), strideC, batchCount);               \
  }

extern "C" {

MUBLAS_FOR_ALL(MUBLAS_GEMM)

}  // extern "C"
// NOLINTEND(bugprone-macro-parentheses)
