// Floating point emulated with integers, which MUSA's BLAS does not do.
#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/refusal.h"

#if TORCHADA_ABI >= 12

namespace {

using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kNotSupported = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kDefault = static_cast<int>(torchada::cuda::CUBLAS_EMULATION_STRATEGY_DEFAULT);
constexpr int kEager = static_cast<int>(torchada::cuda::CUBLAS_EMULATION_STRATEGY_EAGER);

// Success if MUSA takes the handle.
int use(void* handle) {
  int mode = 0;
  return torchada_own_cublasGetPointerMode_v2(handle, &mode);
}

}  // namespace

extern "C" {

int torchada_adapter_cublasGetEmulationStrategy(void* handle, int* strategy) {
  if (const int status = use(handle)) return status;
  if (!strategy) return fail(kInvalidValue);
  *strategy = kDefault;
  return 0;
}

int torchada_adapter_cublasSetEmulationStrategy(void* handle, int strategy) {
  if (const int status = use(handle)) return status;
  if (strategy == kDefault) return 0;
  if (strategy < kDefault || strategy > kEager) return fail(kInvalidValue);
  return torchada::refuse_enumerator("cublasSetEmulationStrategy", 1, strategy,
                                     "MUSA's BLAS is not known to emulate floating point",
                                     kNotSupported);
}

}  // extern "C"

#endif
