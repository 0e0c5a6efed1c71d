// Plans that muFFT creates, for programs that hold a number.
#pragma once

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cufft/plans.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/coverage.h"

namespace torchada::cufft {

// Writes the number of the plan that `create` makes. cuFFT looks for a device before it looks at
// the other arguments, so without muFFT this says that it is missing.
template <typename Create, typename Asked>
int add(const Function& function, int* handle, bool made, Create create, Asked asked) {
  if (!handle) return fail(kInvalid);
  void* plan = nullptr;
  if (const int status = create(&plan)) return outcome(function, status, asked);
  const int number = add_plan(plan);
  if (number == 0) {
    mufftDestroy(plan);
    return fail(static_cast<int>(cuda::CUFFT_ALLOC_FAILED));
  }
  if (made) set_made(number);
  *handle = number;
  return 0;
}

}  // namespace torchada::cufft
