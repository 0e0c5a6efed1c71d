// Calls with a program's number for a plan.
#pragma once

#include "stubs/cufft/outcome.h"
#include "stubs/cufft/plans.h"

namespace torchada::cufft {

// The outcome of `call(plan)` with muFFT's plan.
template <typename Call>
int with_plan(const Function& function, int handle, Call call) {
  Plan plan;
  if (!find_plan(handle, &plan)) return no_plan(function.cuda);
  return outcome(function, call(plan.musa));
}

}  // namespace torchada::cufft
