#pragma once

#include "src/host/mublas/context.h"
#include "src/host/mublas/scalar.h"

namespace host_mublas {

// What a product reads and writes, and what it costs.
struct ProductOperands {
  host::Operand a, b, output;
  double cost = host::cost_of({a, b, output});
};

// Starts alpha * product + beta * output. A pointer that is not read may be null: alpha and the
// inputs if the product has no terms, the inputs if alpha is 0, all of them if the output would not
// change.
template <typename Alpha, typename Beta, typename Compute>
mublasStatus_t start_product(const Settings& settings, bool has_terms, const Alpha* alpha_pointer,
                             const Beta* beta_pointer, const ProductOperands& operands,
                             Compute compute) {
  if (!beta_pointer || (has_terms && !alpha_pointer)) return MUBLAS_STATUS_INVALID_POINTER;
  const Alpha no_terms{};
  const auto alpha =
      has_terms ? Scalar<Alpha>(settings, alpha_pointer) : Scalar<Alpha>(Settings{}, &no_terms);
  const Scalar<Beta> beta(settings, beta_pointer);
  const bool reads_inputs = has_terms && !alpha.is(Alpha{});
  if (!reads_inputs && beta.is(Beta{1})) return MUBLAS_STATUS_SUCCESS;
  const auto& [a, b, output, cost] = operands;
  if (!output.start || (reads_inputs && (!a.start || !b.start))) {
    return MUBLAS_STATUS_INVALID_POINTER;
  }
  return start(settings, cost, {alpha.operand(), beta.operand(), output}, [=] {
    const Alpha by = alpha.value();
    const bool reads = has_terms && by != Alpha{};
    if (!reads || (host::may_use(operands.a) && host::may_use(operands.b))) {
      compute(by, beta.value());
    }
  });
}

}  // namespace host_mublas
