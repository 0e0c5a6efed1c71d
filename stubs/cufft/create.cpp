#include "facts.h"
#include "stubs/cufft/plans.h"
#include "stubs/cufft/with_plan.h"

extern "C" int torchada_adapter_cufftDestroy(int handle) {
  // CUFFT_PLAN_NULL, which CUDA 13 introduced.
  if (TORCHADA_ABI >= 13 && handle == -1) return 0;
  void* const plan = torchada::cufft::remove_plan(handle);
  if (!plan) return torchada::cufft::no_plan("cufftDestroy");
  return torchada::outcome(TORCHADA_CUFFT(Destroy), mufftDestroy(plan));
}
