// CUDA's additions to BLAS: geam adds matrices, dgmm multiplies with a diagonal matrix.
#include "src/host/mublas/cblas_calls.h"
#include "src/host/mublas/product.h"

namespace host_mublas {
namespace {

// op(matrix), one element at a time.
template <typename T>
struct Operand {
  const T* data;
  int ld;
  mublasOperation_t trans;

  host::Operand memory(int m, int n) const {
    const bool plain = trans == MUBLAS_OP_N;
    return host::matrix(data, plain ? m : n, plain ? n : m, ld);
  }
  T at(int i, int j) const {
    if (trans == MUBLAS_OP_N) return column(data, ld, j)[i];
    const T element = column(data, ld, i)[j];
    return trans == MUBLAS_OP_C ? conjugate(element) : element;
  }

  // In place works only if each element is read before it is written and never after that.
  bool may_be(const T* out, int out_ld) const {
    return data != out || (trans == MUBLAS_OP_N && ld == out_ld);
  }
};

template <typename T>
void add(int m, int n, const T& alpha, const Operand<T>& a, const T& beta, const Operand<T>& b,
         T* c, int ldc) {
  for (int j = 0; j < n; ++j) {
    T* const out = column(c, ldc, j);
    for (int i = 0; i < m; ++i) {
      const T from_a = alpha == T{} ? T{} : alpha * a.at(i, j);
      const T from_b = beta == T{} ? T{} : beta * b.at(i, j);
      out[i] = from_a + from_b;
    }
  }
}

template <typename T>
mublasStatus_t geam(mublasHandle_t handle, int m, int n, const T* alpha_pointer,
                    const Operand<T>& a, const T* beta_pointer, const Operand<T>& b, T* c,
                    int ldc) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_operation(a.trans) || !is_operation(b.trans)) return MUBLAS_STATUS_INVALID_VALUE;
  if (m < 0 || n < 0 || a.ld < (a.trans == MUBLAS_OP_N ? m : n) ||
      b.ld < (b.trans == MUBLAS_OP_N ? m : n) || ldc < m) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!alpha_pointer || !beta_pointer || !c) return MUBLAS_STATUS_INVALID_POINTER;
  const Settings settings = context->settings();
  const Scalar<T> alpha(settings, alpha_pointer);
  const Scalar<T> beta(settings, beta_pointer);
  if ((!alpha.is(T{}) && !a.data) || (!beta.is(T{}) && !b.data)) {
    return MUBLAS_STATUS_INVALID_POINTER;
  }
  if (!a.may_be(c, ldc) || !b.may_be(c, ldc)) return MUBLAS_STATUS_INVALID_VALUE;
  const host::Operand result = host::matrix(c, m, n, ldc);
  const double cost = host::cost_of({a.memory(m, n), b.memory(m, n), result});
  return start(settings, cost, {alpha.operand(), beta.operand(), result}, [=] {
    const bool usable = (alpha.value() == T{} || host::may_use(a.memory(m, n))) &&
                        (beta.value() == T{} || host::may_use(b.memory(m, n)));
    if (usable) add(m, n, alpha.value(), a, beta.value(), b, c, ldc);
  });
}

template <typename T>
mublasStatus_t dgmm(mublasHandle_t handle, mublasSideMode_t side, int m, int n, const T* a, int lda,
                    const T* x, int incx, T* c, int ldc) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!is_side(side)) return MUBLAS_STATUS_INVALID_VALUE;
  if (m < 0 || n < 0 || lda < m || ldc < m || incx == 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!a || !x || !c) return MUBLAS_STATUS_INVALID_POINTER;
  if (a == c && lda != ldc) return MUBLAS_STATUS_INVALID_VALUE;
  const bool left = side == MUBLAS_SIDE_LEFT;
  const host::Operands operands{host::matrix(a, m, n, lda), host::vector(x, left ? m : n, incx),
                                host::matrix(c, m, n, ldc)};
  return start(context->settings(), operands, [=] {
    const Strided<const T> diagonal(x, left ? m : n, incx);
    for (int j = 0; j < n; ++j) {
      const T* const in = column(a, lda, j);
      T* const out = column(c, ldc, j);
      for (int i = 0; i < m; ++i) out[i] = in[i] * diagonal[left ? i : j];
    }
  });
}

}  // namespace
}  // namespace host_mublas

using host_mublas::native;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define MUBLAS_EXTENSIONS(letter, T, R)                                                           \
  mublasStatus_t mublas##letter##geam(MUBLAS_ARGS_GEAM(T)) {                                      \
    return host_mublas::geam(handle, m, n, native(alpha), {native(A), lda, transA}, native(beta), \
                             {native(B), ldb, transB}, native(C), ldc);                           \
  }                                                                                               \
  MUBLAS_FORWARD(10, mublas##letter##dgmm, dgmm)

MUBLAS_FOR_ALL(MUBLAS_EXTENSIONS)
// NOLINTEND(bugprone-macro-parentheses)
