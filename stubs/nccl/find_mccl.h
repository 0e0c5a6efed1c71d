// Whether there is an MCCL. NCCL looks for a device before it looks at its arguments.
#pragma once

#include "facts.h"
#include "stubs/resolving/coverage.h"

namespace torchada::nccl {

// 0, or the status to return; then one line says why.
inline int find_mccl(const char* function) {
  int version = 0;
  const int absent = mcclGetVersion(&version);
  if (absent) report_absence(function);
  return absent;
}

}  // namespace torchada::nccl
