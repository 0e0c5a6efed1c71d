// 64-bit positions of the largest and smallest element, where MUSA writes 32 bits. Positions are
// never negative and the machine is little-endian, so the upper half is zero.
#include <stdint.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

#if TORCHADA_ABI >= 12

namespace {

using torchada::fail;
using torchada::refuse_wide;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kExecutionFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_EXECUTION_FAILED);
constexpr int kPointerModeHost = static_cast<int>(torchada::cuda::CUBLAS_POINTER_MODE_HOST);

using Narrow = int (*)(void* handle, int n, const void* x, int incx, void* result);

int wide_index(const char* function, Narrow narrow, void* handle, int64_t n, const void* x,
               int64_t incx, int64_t* result) {
  // Asked for each time: the program may have changed the mode in any way.
  int mode = kPointerModeHost;
  if (const int status = torchada_own_cublasGetPointerMode_v2(handle, &mode)) return status;
  const int small_n = static_cast<int>(n);
  const int small_incx = static_cast<int>(incx);
  if (!result) return fail(kInvalidValue);
  if (small_n != n) return refuse_wide(function, "n", n, kInvalidValue);
  if (small_incx != incx) return refuse_wide(function, "incx", incx, kInvalidValue);
  if (mode == kPointerModeHost) {
    int index = 0;
    const int status = narrow(handle, small_n, x, small_incx, &index);
    if (status == 0) *result = index;
    return status;
  }
  void* stream = nullptr;
  if (const int status = torchada_own_cublasGetStream_v2(handle, &stream)) return status;
  if (const int status = narrow(handle, small_n, x, small_incx, result)) return status;
  // Runs in the order of the stream on which MUSA writes the other half. It follows MUSA's call, so
  // that a failed call leaves the result unchanged.
  char* const upper = static_cast<char*>(static_cast<void*>(result)) + sizeof(int32_t);
  const int zeroed = musaMemsetAsync(upper, 0, sizeof(int32_t), stream);
  return zeroed == 0 ? 0 : fail(kExecutionFailed);
}

}  // namespace

#define TORCHADA_WIDE_INDEX(name)                                                     \
  extern "C" int torchada_adapter_##name##_64(void* handle, int64_t n, const void* x, \
                                              int64_t incx, int64_t* result) {        \
    return wide_index(#name "_64", torchada_own_##name, handle, n, x, incx, result);  \
  }

TORCHADA_WIDE_INDEX(cublasIsamax_v2)
TORCHADA_WIDE_INDEX(cublasIdamax_v2)
TORCHADA_WIDE_INDEX(cublasIcamax_v2)
TORCHADA_WIDE_INDEX(cublasIzamax_v2)
TORCHADA_WIDE_INDEX(cublasIsamin_v2)
TORCHADA_WIDE_INDEX(cublasIdamin_v2)
TORCHADA_WIDE_INDEX(cublasIcamin_v2)
TORCHADA_WIDE_INDEX(cublasIzamin_v2)

#endif
