// Calls with a program's number for a plan.
#pragma once

#include "stubs/cufft/plans.h"
#include "stubs/outcome.h"

#define TORCHADA_CUFFT(name) (::torchada::Function{"cufft" #name, "mufft" #name})

namespace torchada::cufft {

// What a call with the number of no plan returns. Without muFFT no plan can exist, and one line
// says why.
int no_plan(const char* function);

// The outcome of `call(plan)` with muFFT's plan.
template <typename Call>
int with_plan(const Function& function, int handle, Call call) {
  Plan plan;
  if (!find_plan(handle, &plan)) return no_plan(function.cuda);
  return outcome(function, call(plan.musa));
}

}  // namespace torchada::cufft
