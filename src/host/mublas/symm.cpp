// Products with a symmetric or Hermitian matrix: symm and hemm.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/parallel.h"
#include "src/host/mublas/product.h"

namespace host_mublas {
namespace {

template <typename T, typename Routine>
mublasStatus_t multiply(mublasHandle_t handle, Routine routine, mublasSideMode_t side,
                        mublasFillMode_t uplo, int m, int n, const T* alpha, const T* a, int lda,
                        const T* b, int ldb, const T* beta, T* c, int ldc) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_side(side) || !is_triangle(uplo)) return MUBLAS_STATUS_INVALID_VALUE;
  const int order = side == MUBLAS_SIDE_LEFT ? m : n;
  if (m < 0 || n < 0 || lda < order || ldb < m || ldc < m) return MUBLAS_STATUS_INVALID_SIZE;
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  return start_product(
      context->settings(), true, alpha, beta,
      {host::matrix(a, order, order, lda), host::matrix(b, m, n, ldb), host::matrix(c, m, n, ldc),
       host::cost_of_product<T>(m, n, order)},
      [=](T by, T keep) {
        // Each column of C comes from A and one of B, or each row.
        const bool left = side == MUBLAS_SIDE_LEFT;
        const double depth = by == T{} ? 0 : order;
        by_blocks(left ? 1 : m, left ? n : 1, depth * (left ? m : n), [&](const Block& part) {
          routine(CblasColMajor, side_of(side), triangle(uplo), left ? m : part.rows,
                  left ? part.columns : n, scalar(by), a, lda,
                  column(b, ldb, part.column) + part.row, ldb, scalar(keep),
                  column(c, ldc, part.column) + part.row, ldc);
        });
      });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::Cblas;
using host_mublas::native;
using host_mublas::NativeType;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_MULTIPLY(letter, T, routine)                                                     \
  mublasStatus_t mublas##letter##routine(MUBLAS_ARGS_SYMM(T)) {                                 \
    return host_mublas::multiply(handle, Cblas<NativeType<T>::type>::routine, side, uplo, m, n, \
                                 native(alpha), native(A), lda, native(B), ldb, native(beta),   \
                                 native(C), ldc);                                               \
  }
#define MUBLAS_SYMM(letter, T, R) MUBLAS_MULTIPLY(letter, T, symm)
#define MUBLAS_HEMM(letter, T, R) MUBLAS_MULTIPLY(letter, T, hemm)

MUBLAS_FOR_ALL(MUBLAS_SYMM)
MUBLAS_FOR_COMPLEX(MUBLAS_HEMM)
// NOLINTEND(bugprone-macro-parentheses)
