// Calls with a null generator.
#pragma once

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/coverage.h"

namespace torchada::curand {

// What they return. Without muRAND no generator can exist, and one line says why.
inline int no_generator(const char* function) {
  report_absence(function);
  return fail(static_cast<int>(cuda::CURAND_STATUS_NOT_INITIALIZED));
}

}  // namespace torchada::curand
