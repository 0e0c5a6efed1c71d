// What adapters that call MUSA return.
#pragma once

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/backend.h"
#include "stubs/resolving/coverage.h"

namespace torchada {

inline constexpr int kInvalidValue = static_cast<int>(cuda::cudaErrorInvalidValue);
inline constexpr int kNotSupported = static_cast<int>(cuda::cudaErrorNotSupported);

// Returns `status`, which comes from MUSA, or from the fallback without MUSA, and records it for
// cudaGetLastError. "Not ready" is not an error.
inline int told(int status) {
  return status == 0 || status == static_cast<int>(cuda::cudaErrorNotReady) ? status : fail(status);
}

// Says in one line if the call of `function` failed because there is no MUSA. Returns `status`.
inline int told_without_musa(const char* function, int status) {
  if (status == static_cast<int>(cuda::cudaErrorInsufficientDriver)) report_absence(function);
  return status;
}

// The same as told, for an adapter that serves the whole function, with or without MUSA.
inline int told(const char* function, int status) {
  return told(told_without_musa(function, status));
}

// For functions in which a null stream means the thread's own.
inline void* own_stream(void* stream) {
  return stream ? stream : reinterpret_cast<void*>(musa::musaStreamPerThread);
}

// Behind work in the thread's own stream, for functions that return when it is done.
inline int after_own_stream(int status) {
  return status != 0 ? status : told(musaStreamSynchronize(own_stream(nullptr)));
}

}  // namespace torchada
