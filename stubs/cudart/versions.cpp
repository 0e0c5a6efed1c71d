// Versions in CUDA's numbering: MUSA numbers its own releases, which say nothing to a CUDA program.
//
// They tell which functions and layouts a program finds, which is the release that the exports
// equal. They are not lowered to what MUSA can do: a program compares them with the version it was
// built for and gives up on an older runtime or driver. What a device can do, programs learn from
// attributes, and functions of the driver from entry_point.cpp.
#include "cuda_version.h"
#include "facts.h"
#include "fallback.h"

namespace {

using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::cudaErrorInvalidValue);

}  // namespace

// The runtime this library stands for.
extern "C" int torchada_adapter_cudaRuntimeGetVersion(int* version) {
  if (!version) return fail(kInvalidValue);
  *version = torchada::cuda_version();
  return 0;
}

// A driver is as new as the runtime needs, or 0 where there is none, as on a machine without one.
extern "C" int torchada_adapter_cudaDriverGetVersion(int* version) {
  if (!version) return fail(kInvalidValue);
  int musa = 0;
  *version = musaDriverGetVersion(&musa) == 0 ? torchada::cuda_version() : 0;
  return 0;
}
