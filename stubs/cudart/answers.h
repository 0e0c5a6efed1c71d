// What adapters that call MUSA return.
#pragma once

#include "facts.h"
#include "fallback.h"

namespace torchada {

inline constexpr int kInvalidValue = static_cast<int>(cuda::cudaErrorInvalidValue);
inline constexpr int kNotSupported = static_cast<int>(cuda::cudaErrorNotSupported);

// A status of MUSA's, or of the fallback where MUSA lacks the function, as cudaGetLastError is to
// see it. That work is not done yet is no error.
inline int told(int status) {
  return status == 0 || status == static_cast<int>(cuda::cudaErrorNotReady) ? status : fail(status);
}

// Of a name in which a null stream is the thread's own.
inline void* own_stream(void* stream) {
  return stream ? stream : reinterpret_cast<void*>(musa::musaStreamPerThread);
}

}  // namespace torchada
