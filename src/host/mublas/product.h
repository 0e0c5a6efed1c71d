#pragma once

#include "src/host/mublas/context.h"
#include "src/host/mublas/scalar.h"

namespace host_mublas {

// Starts alpha * product + beta * output. A pointer that is not read may be null: alpha and the
// inputs if the product has no terms, the inputs if alpha is 0, all of them if the output would not
// change.
template <typename Alpha, typename Beta, typename Compute>
mublasStatus_t start_product(const Settings& settings, bool has_terms, const Alpha* alpha_pointer,
                             const Beta* beta_pointer, bool inputs_given, bool output_given,
                             Compute compute) {
  if (!beta_pointer || (has_terms && !alpha_pointer)) return MUBLAS_STATUS_INVALID_POINTER;
  const Alpha no_terms{};
  const auto alpha =
      has_terms ? Scalar<Alpha>(settings, alpha_pointer) : Scalar<Alpha>(Settings{}, &no_terms);
  const Scalar<Beta> beta(settings, beta_pointer);
  const bool reads_inputs = has_terms && !alpha.is(Alpha{});
  if (!reads_inputs && beta.is(Beta{1})) return MUBLAS_STATUS_SUCCESS;
  if (!output_given || (reads_inputs && !inputs_given)) return MUBLAS_STATUS_INVALID_POINTER;
  return start(settings, [=] { compute(alpha.value(), beta.value()); });
}

}  // namespace host_mublas
