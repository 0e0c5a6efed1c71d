// Versions in CUDA's numbering: MUSA numbers its own releases, which say nothing to a CUDA program.
#include "facts.h"
#include "fallback.h"

namespace {

using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::cudaErrorInvalidValue);

}  // namespace

// The runtime this library stands for.
extern "C" int torchada_adapter_cudaRuntimeGetVersion(int* version) {
  if (!version) return fail(kInvalidValue);
  *version = torchada::kCudaVersion;
  return 0;
}

// A driver is as new as the runtime needs, or 0 where there is none, as on a machine without one.
extern "C" int torchada_adapter_cudaDriverGetVersion(int* version) {
  if (!version) return fail(kInvalidValue);
  int musa = 0;
  *version = musaDriverGetVersion(&musa) == 0 ? torchada::kCudaVersion : 0;
  return 0;
}
