// Functions that use a plan: transforms, stream and work area.
#include "facts.h"
#include "stubs/cufft/with_plan.h"

namespace {

using torchada::cufft::find_plan;
using torchada::cufft::Plan;
using torchada::cufft::with_plan;

}  // namespace

extern "C" {

int torchada_adapter_cufftExecC2C(int handle, void* input, void* output, int direction) {
  return with_plan(
      TORCHADA_CUFFT(ExecC2C), handle,
      [=](void* plan) { return mufftExecC2C(plan, input, output, direction); },
      TORCHADA_CUFFT_ASKED(ExecC2C, handle, input, output, direction));
}

int torchada_adapter_cufftExecR2C(int handle, float* input, void* output) {
  return with_plan(
      TORCHADA_CUFFT(ExecR2C), handle,
      [=](void* plan) { return mufftExecR2C(plan, input, output); },
      TORCHADA_CUFFT_ASKED(ExecR2C, handle, input, output));
}

int torchada_adapter_cufftExecC2R(int handle, void* input, float* output) {
  return with_plan(
      TORCHADA_CUFFT(ExecC2R), handle,
      [=](void* plan) { return mufftExecC2R(plan, input, output); },
      TORCHADA_CUFFT_ASKED(ExecC2R, handle, input, output));
}

int torchada_adapter_cufftExecZ2Z(int handle, void* input, void* output, int direction) {
  return with_plan(
      TORCHADA_CUFFT(ExecZ2Z), handle,
      [=](void* plan) { return mufftExecZ2Z(plan, input, output, direction); },
      TORCHADA_CUFFT_ASKED(ExecZ2Z, handle, input, output, direction));
}

int torchada_adapter_cufftExecD2Z(int handle, double* input, void* output) {
  return with_plan(
      TORCHADA_CUFFT(ExecD2Z), handle,
      [=](void* plan) { return mufftExecD2Z(plan, input, output); },
      TORCHADA_CUFFT_ASKED(ExecD2Z, handle, input, output));
}

int torchada_adapter_cufftExecZ2D(int handle, void* input, double* output) {
  return with_plan(
      TORCHADA_CUFFT(ExecZ2D), handle,
      [=](void* plan) { return mufftExecZ2D(plan, input, output); },
      TORCHADA_CUFFT_ASKED(ExecZ2D, handle, input, output));
}

int torchada_adapter_cufftXtExec(int handle, void* input, void* output, int direction) {
  return with_plan(
      TORCHADA_CUFFT(XtExec), handle,
      [=](void* plan) { return mufftXtExec(plan, input, output, direction); },
      TORCHADA_CUFFT_ASKED(XtExec, handle, input, output, direction));
}

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

int torchada_adapter_cufftSetWorkArea(int handle, void* area) {
  return with_plan(TORCHADA_CUFFT(SetWorkArea), handle,
                   [=](void* plan) { return mufftSetWorkArea(plan, area); });
}

int torchada_adapter_cufftSetAutoAllocation(int handle, int automatic) {
  return with_plan(TORCHADA_CUFFT(SetAutoAllocation), handle,
                   [=](void* plan) { return mufftSetAutoAllocation(plan, automatic); });
}

}  // extern "C"
