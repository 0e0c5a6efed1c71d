// Multiplies a vector by a triangular matrix, or solves for it, in place: trmv, trsv, tbmv, tbsv,
// tpmv and tpsv.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/context.h"

namespace host_mublas {
namespace {

struct Triangular {
  mublasFillMode_t uplo;
  mublasOperation_t trans;
  mublasDiagType_t diag;
};

// `compute` gets uplo, trans and diag in OpenBLAS's terms.
template <typename T, typename Compute>
mublasStatus_t apply(mublasHandle_t handle, const Triangular& kind, int n, bool sizes_good,
                     const host::Operand& a, T* x, int incx, Compute compute) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_triangle(kind.uplo) || !is_operation(kind.trans) || !is_diagonal(kind.diag)) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  if (n < 0 || !sizes_good || incx == 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!a.start || !x) return MUBLAS_STATUS_INVALID_POINTER;
  return start(context->settings(), {a, host::vector(x, n, incx)}, [=] {
    compute(triangle(kind.uplo), transpose<T>(kind.trans), diagonal(kind.diag));
  });
}

// `routine` is a routine of OpenBLAS with the arguments of this storage format.
template <typename T, typename Routine>
mublasStatus_t full(mublasHandle_t handle, Routine routine, const Triangular& kind, int n,
                    const T* a, int lda, T* x, int incx) {
  return apply(handle, kind, n, lda >= std::max(n, 1), host::matrix(a, n, n, lda), x, incx,
               [=](auto uplo, auto trans, auto diag) {
                 routine(CblasColMajor, uplo, trans, diag, n, a, lda, x, incx);
               });
}

template <typename T, typename Routine>
mublasStatus_t band(mublasHandle_t handle, Routine routine, const Triangular& kind, int n, int k,
                    const T* a, int lda, T* x, int incx) {
  return apply(handle, kind, n, k >= 0 && lda > k, stored_band(kind.uplo, a, n, k, lda), x, incx,
               [=](auto uplo, auto trans, auto diag) {
                 routine(CblasColMajor, uplo, trans, diag, n, k, a, lda, x, incx);
               });
}

template <typename T, typename Routine>
mublasStatus_t packed(mublasHandle_t handle, Routine routine, const Triangular& kind, int n,
                      const T* a, T* x, int incx) {
  return apply(handle, kind, n, true, stored_packed(a, n), x, incx,
               [=](auto uplo, auto trans, auto diag) {
                 routine(CblasColMajor, uplo, trans, diag, n, a, x, incx);
               });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::Cblas;
using host_mublas::native;
using host_mublas::NativeType;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_FULL(letter, T, routine)                                                           \
  mublasStatus_t mublas##letter##routine(MUBLAS_ARGS_TRMV(T)) {                                   \
    return host_mublas::full(handle, Cblas<NativeType<T>::type>::routine, {uplo, trans, diag}, n, \
                             native(A), lda, native(x), incx);                                    \
  }
#define MUBLAS_BAND(letter, T, routine)                                                           \
  mublasStatus_t mublas##letter##routine(MUBLAS_ARGS_TBMV(T)) {                                   \
    return host_mublas::band(handle, Cblas<NativeType<T>::type>::routine, {uplo, trans, diag}, n, \
                             k, native(A), lda, native(x), incx);                                 \
  }
#define MUBLAS_PACKED(letter, T, routine)                                                        \
  mublasStatus_t mublas##letter##routine(MUBLAS_ARGS_TPMV(T)) {                                  \
    return host_mublas::packed(handle, Cblas<NativeType<T>::type>::routine, {uplo, trans, diag}, \
                               n, native(AP), native(x), incx);                                  \
  }
#define MUBLAS_TRIANGULAR(letter, T, R) \
  MUBLAS_FULL(letter, T, trmv)          \
  MUBLAS_FULL(letter, T, trsv)          \
  MUBLAS_BAND(letter, T, tbmv)          \
  MUBLAS_BAND(letter, T, tbsv)          \
  MUBLAS_PACKED(letter, T, tpmv)        \
  MUBLAS_PACKED(letter, T, tpsv)

MUBLAS_FOR_ALL(MUBLAS_TRIANGULAR)
// NOLINTEND(bugprone-macro-parentheses)
