#include "stubs/cufft/with_plan.h"

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/coverage.h"

namespace torchada::cufft {

int no_plan(const char* function) {
  report_absence(function);
  return fail(static_cast<int>(cuda::CUFFT_INVALID_PLAN));
}

}  // namespace torchada::cufft
