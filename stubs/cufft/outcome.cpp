#include "stubs/cufft/outcome.h"

#include "facts.h"
#include "stubs/backend.h"
#include "stubs/coverage.h"
#include "stubs/fallback.h"
#include "stubs/lifetime.h"
#include "stubs/report.h"

namespace torchada::cufft {

int failed_outcome(const Function& function, int musa_status) {
  FailureKind over;
  if (is_over(&over)) return fail(status_to_cuda(musa_status));
  // Calls made by adapters fail silently, so find out afterwards whether this one reached MUSA.
  const Target target = {0, 0, kNewestSdk};
  const Lookup found = find_in_backend(torchada_library.backend, &target, 1, function.musa);
  switch (found.result) {
    case Lookup::kFound:
      break;
    case Lookup::kNoBackend: {
      const Symbol& symbol = *symbol_named(function.cuda);
      report_no_backend(symbol, found.file);
      return reinterpret_cast<int (*)()>(fallback_for(symbol, FailureKind::kNoBackend))();
    }
    case Lookup::kMissing: {
      Line reason;
      reason << function.musa << " is not exported by " << found.file;
      return refuse(function.cuda, reason.c_str());
    }
  }
  return fail(status_to_cuda(musa_status));
}

int refuse(const char* function, const char* reason) {
  report_unsupported(*symbol_named(function), FailureKind::kUnsupported, reason);
  return fail(kUnsupported);
}

int no_plan(const char* function) {
  report_absence(function);
  return fail(static_cast<int>(cuda::CUFFT_INVALID_PLAN));
}

}  // namespace torchada::cufft
