// The stream of a plan.
#include "facts.h"
#include "stubs/cufft/with_plan.h"

namespace {

using torchada::cufft::find_plan;
using torchada::cufft::Plan;
using torchada::cufft::with_plan;

}  // namespace

extern "C" {

// muFFT refuses a stream before the plan is made, cuFFT does not. So make_plan.cpp sets it.
int torchada_adapter_cufftSetStream(int handle, void* stream) {
  Plan plan;
  if (find_plan(handle, &plan) && !plan.made) {
    torchada::cufft::set_stream(handle, stream);
    return 0;
  }
  return with_plan(TORCHADA_CUFFT(SetStream), handle,
                   [=](void* musa_plan) { return mufftSetStream(musa_plan, stream); });
}

}  // extern "C"
