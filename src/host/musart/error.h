// The thread's last error.
#pragma once

#include "musa_runtime_api.h"

namespace musart {

// Remembers `error` for musaGetLastError and returns it. Not inlined, so that a call that succeeds
// saves no registers for it.
[[gnu::noinline]] musaError_t remember(musaError_t error);

// What every function of the runtime returns. Success leaves an earlier error in place; so does
// musaErrorNotReady, which answers a query and is not a failure.
inline musaError_t recorded(musaError_t status) {
  return status == musaSuccess || status == musaErrorNotReady ? status : remember(status);
}

}  // namespace musart
