// Functions that take a plan, describe a transform, and write the bytes of its work area.
#pragma once

#include "facts.h"
#include "stubs/cufft/types.h"
#include "stubs/cufft/with_plan.h"
#include "stubs/reporting/fallback.h"

namespace torchada::cufft {

// The outcome of `call(plan, types)` for kinds of numbers, by CUDA's numbers.
template <typename Call, typename Asked>
int measured(const Function& function, int handle, const DataTypes& types, const size_t* bytes,
             Call call, Asked asked) {
  if (!bytes) return fail(kInvalid);
  DataTypes converted = {};
  const bool known = data_type_to_musa(types.input, &converted.input) &&
                     data_type_to_musa(types.output, &converted.output) &&
                     data_type_to_musa(types.execution, &converted.execution);
  if (!known) return fail(static_cast<int>(cuda::CUFFT_INVALID_TYPE));
  return with_plan(
      function, handle, [&](void* plan) { return call(plan, converted); }, asked);
}

}  // namespace torchada::cufft
