// Multiplies a matrix by a triangular matrix, or solves for it: trmm, trsm and trsmBatched.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/context.h"
#include "src/host/mublas/parallel.h"
#include "src/host/mublas/scalar.h"

namespace host_mublas {
namespace {

struct TriangularShape {
  mublasSideMode_t side;
  mublasFillMode_t uplo;
  mublasOperation_t trans;
  mublasDiagType_t diag;
  int m, n, lda;

  mublasStatus_t check() const {
    if (!is_side(side) || !is_triangle(uplo) || !is_operation(trans) || !is_diagonal(diag)) {
      return MUBLAS_STATUS_INVALID_VALUE;
    }
    if (m < 0 || n < 0 || lda < (side == MUBLAS_SIDE_LEFT ? m : n)) {
      return MUBLAS_STATUS_INVALID_SIZE;
    }
    return MUBLAS_STATUS_SUCCESS;
  }
  bool empty() const { return m == 0 || n == 0; }
  // For each element of B.
  double depth() const { return (side == MUBLAS_SIDE_LEFT ? m : n) / 2.0; }
  double multiplications() const { return static_cast<double>(m) * n * depth(); }
  template <typename T>
  double cost() const {
    return host::cost_of_product<T>(m, n, 2 * depth());
  }

  template <typename T>
  host::Operand triangle_at(const T* a) const {
    const int order = side == MUBLAS_SIDE_LEFT ? m : n;
    return host::matrix(a, order, order, lda);
  }

  // Sets B to alpha times the product or the solution, depending on the routine. With alpha 0,
  // neither matrix is read.
  template <typename T, typename Routine>
  void compute(Routine routine, const T& alpha, const T* a, T* b, int ldb) const {
    if (alpha == T{}) {
      for (int j = 0; j < n; ++j) std::fill_n(column(b, ldb, j), m, T{});
      return;
    }
    // Each column of B comes from A and itself, or each row.
    const bool left = side == MUBLAS_SIDE_LEFT;
    by_blocks(left ? 1 : m, left ? n : 1, (left ? m : n) * depth(), [&](const Block& part) {
      routine(CblasColMajor, side_of(side), triangle(uplo), transpose<T>(trans), diagonal(diag),
              left ? m : part.rows, left ? part.columns : n, scalar(alpha), a, lda,
              column(b, ldb, part.column) + part.row, ldb);
    });
  }
};

template <typename T>
mublasStatus_t trmm(mublasHandle_t handle, const TriangularShape& shape, const T* alpha_pointer,
                    const T* a, const T* b, int ldb, T* c, int ldc) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (ldb < shape.m || ldc < shape.m) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty()) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !c) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  if (!alpha.is(T{}) && (!a || !b)) return MUBLAS_STATUS_INVALID_POINTER;
  if (b == c && ldb != ldc) return MUBLAS_STATUS_INVALID_VALUE;
  const host::Operands operands{alpha.operand(), host::matrix(c, shape.m, shape.n, ldc)};
  return start(settings, shape.cost<T>(), operands, [=] {
    const bool reads = alpha.value() != T{};
    if (reads && !host::may_use({shape.triangle_at(a), host::matrix(b, shape.m, shape.n, ldb)}))
      return;
    if (b != c && reads) {
      for (int j = 0; j < shape.n; ++j) {
        std::copy_n(column(b, ldb, j), shape.m, column(c, ldc, j));
      }
    }
    shape.compute(Cblas<T>::trmm, alpha.value(), a, c, ldc);
  });
}

template <typename T>
mublasStatus_t trsm(mublasHandle_t handle, const TriangularShape& shape, const T* alpha_pointer,
                    const T* a, T* b, int ldb) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (ldb < shape.m) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty()) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !b) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  if (!alpha.is(T{}) && !a) return MUBLAS_STATUS_INVALID_POINTER;
  const host::Operands operands{alpha.operand(), host::matrix(b, shape.m, shape.n, ldb)};
  return start(settings, shape.cost<T>(), operands, [=] {
    const T by = alpha.value();
    if (by == T{} || host::may_use(shape.triangle_at(a))) {
      shape.compute(Cblas<T>::trsm, by, a, b, ldb);
    }
  });
}

template <typename T>
mublasStatus_t trsm_batched(mublasHandle_t handle, const TriangularShape& shape,
                            const T* alpha_pointer, const T* const* a, T* const* b, int ldb,
                            int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (ldb < shape.m || count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !b) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  if (!alpha.is(T{}) && !a) return MUBLAS_STATUS_INVALID_POINTER;
  return start(settings, shape.cost<T>() * count, {alpha.operand(), host::array(b, count)}, [=] {
    const T by = alpha.value();
    const bool reads = by != T{};
    if (reads && !host::may_use(host::array(a, count))) return;
    const auto usable = [&](int i) {
      const host::Operand left = reads ? shape.triangle_at(a[i]) : host::Operand{};
      return host::may_use({left, host::matrix(b[i], shape.m, shape.n, ldb)});
    };
    if (!all_members(count, usable)) return;
    for_each_member(count, shape.multiplications(), [&](int i) {
      shape.compute(Cblas<T>::trsm, by, reads ? a[i] : nullptr, b[i], ldb);
    });
  });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_TRIANGULAR(letter, T, R)                                                           \
  mublasStatus_t mublas##letter##trmm(MUBLAS_ARGS_TRMM(T)) {                                      \
    return host_mublas::trmm(handle, {side, uplo, trans, diag, m, n, lda}, native(alpha),         \
                             native(A), native(B), ldb, native(C), ldc);                          \
  }                                                                                               \
  mublasStatus_t mublas##letter##trsm(MUBLAS_ARGS_TRSM(T)) {                                      \
    return host_mublas::trsm(handle, {side, uplo, trans, diag, m, n, lda}, native(alpha),         \
                             native(A), native(B), ldb);                                          \
  }                                                                                               \
  mublasStatus_t mublas##letter##trsmBatched(MUBLAS_ARGS_TRSMBATCHED(T)) {                        \
    return host_mublas::trsm_batched(handle, {side, uplo, trans, diag, m, n, lda}, native(alpha), \
                                     native(Aarray), native(Barray), ldb, batchCount);            \
  }

MUBLAS_FOR_ALL(MUBLAS_TRIANGULAR)
// NOLINTEND(bugprone-macro-parentheses)
