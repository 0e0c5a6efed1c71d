// Versions in CUDA's numbering: MUSA numbers its own releases, which say nothing to a CUDA program.
//
// A version tells which functions and layouts a program finds: those of the release whose exports
// this library has. It is not lowered to what MUSA can do, because a program compares it with the
// version it was built for and gives up on an older runtime. Programs learn what a device can do
// from attributes, and which driver functions there are from entry_point.cpp.
#include "stubs/adapting/cuda_version.h"
#include "stubs/cudart/answers.h"

namespace {

using torchada::fail;
using torchada::kInvalidValue;

}  // namespace

// The runtime this library stands for.
extern "C" int torchada_adapter_cudaRuntimeGetVersion(int* version) {
  if (!version) return fail(kInvalidValue);
  *version = torchada::cuda_version();
  return 0;
}

// The same number as cuDriverGetVersion. Without MUSA it is 0, as on a machine without a driver.
extern "C" int torchada_adapter_cudaDriverGetVersion(int* version) {
  if (!version) return fail(kInvalidValue);
  int musa = 0;
  *version = musaDriverGetVersion(&musa) == 0 ? torchada::driver_version() : 0;
  return 0;
}
