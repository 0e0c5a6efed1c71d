// Calls with a program's number for a plan.
#pragma once

#include "stubs/adapting/conditions.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cufft/plans.h"

// What an adapter asks after a failure, about all arguments of its function.
#define TORCHADA_CUFFT_ASKED(name, ...) \
  [=] { return ::torchada::documented_status(::torchada::kConditions_cufft##name, __VA_ARGS__); }

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

// The same for a function with documented conditions.
template <typename Call, typename Asked>
int with_plan(const Function& function, int handle, Call call, Asked asked) {
  Plan plan;
  if (!find_plan(handle, &plan)) return no_plan(function.cuda);
  return outcome(function, call(plan.musa), asked);
}

}  // namespace torchada::cufft
