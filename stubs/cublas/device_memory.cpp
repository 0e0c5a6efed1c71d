// Device memory functions of the old cuBLAS interface.
#include "facts.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kAllocFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kInternalError = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INTERNAL_ERROR);

}  // namespace

extern "C" {

int torchada_adapter_cublasAlloc(int n, int element_bytes, void** memory) {
  if (!memory) return fail(kInvalidValue);
  *memory = nullptr;
  if (n <= 0 || element_bytes <= 0) return fail(kInvalidValue);
  void* made = nullptr;
  if (musaMalloc(&made, static_cast<size_t>(n) * static_cast<size_t>(element_bytes)) != 0) {
    int device = 0;
    return fail(musaGetDevice(&device) == 0 ? kAllocFailed : kInternalError);
  }
  *memory = made;
  return 0;
}

int torchada_adapter_cublasFree(void* memory) {
  if (!memory) return 0;
  return musaFree(memory) == 0 ? 0 : fail(kInternalError);
}

}  // extern "C"
