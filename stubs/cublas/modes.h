// Modes and hints of a handle that MUSA's BLAS is not told, because no source says how.
// `decided` in mappings/forward/types.yaml says what becomes of each.
#pragma once

#include "facts.h"
#include "stubs/adapting/kept_values.h"
#include "stubs/reporting/fallback.h"

namespace torchada::modes {

// A mode, and how a handle starts.
enum Kind : KeptKind { kMath, kAtomics, kStrategy, kMultiprocessors };
inline constexpr int kInitial = 0;
static_assert(cuda::CUBLAS_DEFAULT_MATH == kInitial &&
              cuda::CUBLAS_ATOMICS_NOT_ALLOWED == kInitial);
#if TORCHADA_ABI >= 12
static_assert(cuda::CUBLAS_EMULATION_STRATEGY_DEFAULT == kInitial);
#endif

// Success if MUSA takes the handle.
inline int use(void* handle) {
  if (!handle) return fail(static_cast<int>(cuda::CUBLAS_STATUS_NOT_INITIALIZED));
  int ignored = 0;
  return torchada_own_cublasGetPointerMode_v2(handle, &ignored);
}

inline int keep(void* handle, Kind kind, int value) {
  if (keep_value(handle, kind, value, kInitial)) return 0;
  return fail(static_cast<int>(cuda::CUBLAS_STATUS_ALLOC_FAILED));
}

}  // namespace torchada::modes
