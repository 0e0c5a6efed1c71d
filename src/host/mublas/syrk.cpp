// One triangle of a product: syrk, herk, syr2k, her2k, syrkx and herkx.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/product.h"

namespace host_mublas {
namespace {

enum class Kind { kSymmetric, kHermitian };

struct RankShape {
  mublasFillMode_t uplo;
  mublasOperation_t trans;
  int n, k;

  int rows() const { return trans == MUBLAS_OP_N ? n : k; }

  // A symmetric complex result allows only the transpose, a Hermitian result only the conjugate
  // transpose.
  template <typename T>
  mublasStatus_t check(Kind kind, int lda, int ldb, int ldc) const {
    const auto other = kind == Kind::kSymmetric ? MUBLAS_OP_C : MUBLAS_OP_T;
    if (!is_triangle(uplo) || !is_operation(trans) || (is_complex<T> && trans == other)) {
      return MUBLAS_STATUS_INVALID_VALUE;
    }
    if (n < 0 || k < 0 || lda < rows() || ldb < rows() || ldc < n) {
      return MUBLAS_STATUS_INVALID_SIZE;
    }
    return MUBLAS_STATUS_SUCCESS;
  }
};

// `compute` gets alpha and beta, with alpha 0 if there is nothing to add.
template <typename T, typename Alpha, typename Beta, typename Compute>
mublasStatus_t update(mublasHandle_t handle, Kind kind, const RankShape& shape, const Alpha* alpha,
                      const T* a, int lda, const T* b, int ldb, const Beta* beta, T* c, int ldc,
                      Compute compute) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  const auto status = shape.check<T>(kind, lda, ldb, ldc);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  if (shape.n == 0) return MUBLAS_STATUS_SUCCESS;
  const auto operand = [&](const T* data, int ld) {
    const bool plain = shape.trans == MUBLAS_OP_N;
    return host::matrix(data, plain ? shape.n : shape.k, plain ? shape.k : shape.n, ld);
  };
  return start_product(context->settings(), shape.k != 0, alpha, beta,
                       {operand(a, lda), operand(b, ldb), host::matrix(c, shape.n, shape.n, ldc),
                        2 * host::cost_of_product<T>(shape.n, shape.n, shape.k)},
                       compute);
}

template <typename T>
mublasStatus_t syrk(mublasHandle_t handle, const RankShape& shape, const T* alpha, const T* a,
                    int lda, const T* beta, T* c, int ldc) {
  return update(
      handle, Kind::kSymmetric, shape, alpha, a, lda, a, lda, beta, c, ldc, [=](T by, T keep) {
        Cblas<T>::syrk(CblasColMajor, triangle(shape.uplo), transpose<T>(shape.trans), shape.n,
                       shape.k, scalar(by), a, leading(lda), scalar(keep), c, ldc);
      });
}

template <typename T>
mublasStatus_t herk(mublasHandle_t handle, const RankShape& shape, const Real<T>* alpha, const T* a,
                    int lda, const Real<T>* beta, T* c, int ldc) {
  return update(handle, Kind::kHermitian, shape, alpha, a, lda, a, lda, beta, c, ldc,
                [=](Real<T> by, Real<T> keep) {
                  Cblas<T>::herk(CblasColMajor, triangle(shape.uplo), transpose<T>(shape.trans),
                                 shape.n, shape.k, by, a, leading(lda), keep, c, ldc);
                });
}

template <typename T>
mublasStatus_t syr2k(mublasHandle_t handle, const RankShape& shape, const T* alpha, const T* a,
                     int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  return update(handle, Kind::kSymmetric, shape, alpha, a, lda, b, ldb, beta, c, ldc,
                [=](T by, T keep) {
                  Cblas<T>::syr2k(CblasColMajor, triangle(shape.uplo), transpose<T>(shape.trans),
                                  shape.n, shape.k, scalar(by), a, leading(lda), b, leading(ldb),
                                  scalar(keep), c, ldc);
                });
}

template <typename T>
mublasStatus_t her2k(mublasHandle_t handle, const RankShape& shape, const T* alpha, const T* a,
                     int lda, const T* b, int ldb, const Real<T>* beta, T* c, int ldc) {
  return update(handle, Kind::kHermitian, shape, alpha, a, lda, b, ldb, beta, c, ldc,
                [=](T by, Real<T> keep) {
                  Cblas<T>::her2k(CblasColMajor, triangle(shape.uplo), transpose<T>(shape.trans),
                                  shape.n, shape.k, scalar(by), a, leading(lda), b, leading(ldb),
                                  keep, c, ldc);
                });
}

// BLAS has no product of two matrices that writes only one triangle. This one works by columns:
// without transposition it adds multiples of A's columns, with transposition it takes dot products.
template <typename T, typename Beta>
void triangle_of_product(Kind kind, const RankShape& shape, T alpha, const T* a, int lda,
                         const T* b, int ldb, Beta beta, T* c, int ldc) {
  const bool hermitian = kind == Kind::kHermitian;
  const int terms = alpha == T{} ? 0 : shape.k;
  if (terms == 0 && beta == Beta{1}) return;
  for (int j = 0; j < shape.n; ++j) {
    T* const out = column(c, ldc, j);
    const int first = shape.uplo == MUBLAS_FILL_MODE_UPPER ? 0 : j;
    const int end = shape.uplo == MUBLAS_FILL_MODE_UPPER ? j + 1 : shape.n;
    for (int i = first; i < end; ++i) out[i] = beta == Beta{} ? T{} : beta * out[i];
    if (shape.trans == MUBLAS_OP_N) {
      for (int l = 0; l < terms; ++l) {
        const T factor = column(b, ldb, l)[j];
        const T by = alpha * (hermitian ? conjugate(factor) : factor);
        Cblas<T>::axpy(end - first, scalar(by), column(a, lda, l) + first, 1, out + first, 1);
      }
    } else if (terms != 0) {
      const auto dot = hermitian ? dotc<T> : dotu<T>;
      for (int i = first; i < end; ++i) {
        out[i] += alpha * dot(terms, column(a, lda, i), 1, column(b, ldb, j), 1);
      }
    }
    if constexpr (is_complex<T>) {
      if (hermitian) out[j] = out[j].real();
    }
  }
}

template <typename T, typename Beta>
mublasStatus_t rank_kx(mublasHandle_t handle, Kind kind, const RankShape& shape, const T* alpha,
                       const T* a, int lda, const T* b, int ldb, const Beta* beta, T* c, int ldc) {
  return update(handle, kind, shape, alpha, a, lda, b, ldb, beta, c, ldc, [=](T by, Beta keep) {
    triangle_of_product(kind, shape, by, a, lda, b, ldb, keep, c, ldc);
  });
}

template <typename T>
mublasStatus_t syrkx(mublasHandle_t handle, const RankShape& shape, const T* alpha, const T* a,
                     int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  return rank_kx(handle, Kind::kSymmetric, shape, alpha, a, lda, b, ldb, beta, c, ldc);
}

template <typename T>
mublasStatus_t herkx(mublasHandle_t handle, const RankShape& shape, const T* alpha, const T* a,
                     int lda, const T* b, int ldb, const Real<T>* beta, T* c, int ldc) {
  return rank_kx(handle, Kind::kHermitian, shape, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_ONE(name, parameters, compute)                                               \
  mublasStatus_t name(parameters) {                                                         \
    return host_mublas::compute(handle, {uplo, trans, n, k}, native(alpha), native(A), lda, \
                                native(beta), native(C), ldc);                              \
  }
#define MUBLAS_TWO(name, parameters, compute)                                               \
  mublasStatus_t name(parameters) {                                                         \
    return host_mublas::compute(handle, {uplo, trans, n, k}, native(alpha), native(A), lda, \
                                native(B), ldb, native(beta), native(C), ldc);              \
  }
#define MUBLAS_SYMMETRIC(letter, T, R)                           \
  MUBLAS_ONE(mublas##letter##syrk, MUBLAS_ARGS_SYRK(T), syrk)    \
  MUBLAS_TWO(mublas##letter##syr2k, MUBLAS_ARGS_SYR2K(T), syr2k) \
  MUBLAS_TWO(mublas##letter##syrkx, MUBLAS_ARGS_SYR2K(T), syrkx)
#define MUBLAS_HERMITIAN(letter, T, R)                              \
  MUBLAS_ONE(mublas##letter##herk, MUBLAS_ARGS_HERK(T, R), herk)    \
  MUBLAS_TWO(mublas##letter##her2k, MUBLAS_ARGS_HER2K(T, R), her2k) \
  MUBLAS_TWO(mublas##letter##herkx, MUBLAS_ARGS_HER2K(T, R), herkx)

MUBLAS_FOR_ALL(MUBLAS_SYMMETRIC)
MUBLAS_FOR_COMPLEX(MUBLAS_HERMITIAN)

// The form that takes its types as arguments has one type.
mublasStatus_t mublasCsyrkEx(mublasHandle_t handle, mublasFillMode_t uplo, mublasOperation_t trans,
                             mublas_int n, mublas_int k, const muComplex* alpha, const void* A,
                             musaDataType_t Atype, mublas_int lda, const muComplex* beta, void* C,
                             musaDataType_t Ctype, mublas_int ldc) {
  if (Atype == MUSA_C_32F && Ctype == MUSA_C_32F) {
    return mublasCsyrk(handle, uplo, trans, n, k, alpha, static_cast<const muComplex*>(A), lda,
                       beta, static_cast<muComplex*>(C), ldc);
  }
  return host_mublas::find_context(handle) ? MUBLAS_STATUS_NOT_IMPLEMENTED
                                           : MUBLAS_STATUS_INVALID_HANDLE;
}
// NOLINTEND(bugprone-macro-parentheses)
