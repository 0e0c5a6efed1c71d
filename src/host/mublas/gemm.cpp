// gemm and its batches.
#include "src/host/mublas/batches.h"
#include "src/host/mublas/cblas_calls.h"

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
  bool has_terms() const { return k != 0; }

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

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_GEMM(letter, T, R)                                                              \
  mublasStatus_t mublas##letter##gemm(MUBLAS_ARGS_GEMM(T)) {                                   \
    return host_mublas::single<host_mublas::GemmShape>(                                        \
        handle, {transA, transB, m, n, k, lda, ldb, ldc}, native(alpha), native(A), native(B), \
        native(beta), native(C));                                                              \
  }                                                                                            \
  mublasStatus_t mublas##letter##gemmBatched(MUBLAS_ARGS_GEMMBATCHED(T)) {                     \
    return host_mublas::batched<host_mublas::GemmShape>(                                       \
        handle, {transA, transB, m, n, k, lda, ldb, ldc}, native(alpha), native(Aarray),       \
        native(Barray), native(beta), native(Carray), batchCount);                             \
  }                                                                                            \
  mublasStatus_t mublas##letter##gemmStridedBatched(MUBLAS_ARGS_GEMMSTRIDEDBATCHED(T)) {       \
    return host_mublas::strided<host_mublas::GemmShape>(                                       \
        handle, {transA, transB, m, n, k, lda, ldb, ldc}, native(alpha), native(A), strideA,   \
        native(B), strideB, native(beta), native(C), strideC, batchCount);                     \
  }

MUBLAS_FOR_ALL(MUBLAS_GEMM)
// NOLINTEND(bugprone-macro-parentheses)
