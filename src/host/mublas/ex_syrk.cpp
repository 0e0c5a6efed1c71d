// The symmetric product that takes its types as arguments.
#include <cblas.h>

#include <algorithm>
#include <complex>

#include "src/host/mublas/context.h"
#include "src/host/mublas/scalar.h"

using host_mublas::Scalar;
using host_mublas::Settings;

extern "C" mublasStatus_t mublasCsyrkEx(mublasHandle_t handle, mublasFillMode_t uplo,
                                        mublasOperation_t trans, mublas_int n, mublas_int k,
                                        const muComplex* alpha, const void* A, musaDataType_t Atype,
                                        mublas_int lda, const muComplex* beta, void* C,
                                        musaDataType_t Ctype, mublas_int ldc) {
  using Number = std::complex<float>;
  const auto context = host_mublas::find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  const bool upper = uplo == MUBLAS_FILL_MODE_UPPER;
  if ((!upper && uplo != MUBLAS_FILL_MODE_LOWER) ||
      (trans != MUBLAS_OP_N && trans != MUBLAS_OP_T)) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  if (Atype != MUSA_C_32F || Ctype != MUSA_C_32F) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  if (n < 0 || k < 0 || lda < (trans == MUBLAS_OP_N ? n : k) || ldc < n) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!beta || !C || (k != 0 && (!alpha || !A))) return MUBLAS_STATUS_INVALID_POINTER;

  const Settings settings = context->settings();
  const Number zero{};
  const Scalar<Number> alpha_scalar =
      k == 0 ? Scalar<Number>(Settings{}, &zero)
             : Scalar<Number>(settings, reinterpret_cast<const Number*>(alpha));
  const Scalar<Number> beta_scalar(settings, reinterpret_cast<const Number*>(beta));
  const host::Operands operands{alpha_scalar.operand(), beta_scalar.operand(),
                                host::matrix(static_cast<const Number*>(C), n, n, ldc)};
  const double cost = host::cost_of_product<Number>(n, n, k);
  return host_mublas::start(settings, cost, operands, [=] {
    const Number alpha_value = alpha_scalar.value();
    const Number beta_value = beta_scalar.value();
    const int depth = alpha_value == Number{} ? 0 : k;
    const bool plain = trans == MUBLAS_OP_N;
    if (!host::may_use(host::matrix(static_cast<const Number*>(A), plain ? n : depth,
                                    plain ? depth : n, lda))) {
      return;
    }
    cblas_csyrk(CblasColMajor, upper ? CblasUpper : CblasLower,
                trans == MUBLAS_OP_N ? CblasNoTrans : CblasTrans, n, depth, &alpha_value, A,
                std::max(lda, 1), &beta_value, C, ldc);
  });
}
