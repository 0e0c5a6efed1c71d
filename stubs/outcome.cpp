#include "stubs/outcome.h"

#include "facts.h"
#include "stubs/backend.h"
#include "stubs/coverage.h"
#include "stubs/fallback.h"
#include "stubs/lifetime.h"
#include "stubs/refusal.h"
#include "stubs/report.h"

namespace torchada {
namespace {

const Symbol& symbol_of(const Function& function) {
  // Every adapter is in the table: the call came here through its entry.
  return *symbol_named(function.cuda);
}

}  // namespace

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
      const Symbol& symbol = symbol_of(function);
      report_no_backend(symbol, found.file);
      return reinterpret_cast<int (*)()>(fallback_for(symbol, FailureKind::kNoBackend))();
    }
    case Lookup::kMissing: {
      Line reason;
      reason << function.musa << " is not exported by " << found.file;
      return refuse(function, reason.c_str());
    }
  }
  const int status = status_to_cuda(musa_status);
  if (musa_status == kMusaUnsupported) {
    report_answer(function.cuda, function.musa, kMusaUnsupportedName, musa_status, status);
  }
  return fail(status);
}

int refuse(const Function& function, const char* reason) {
  report_unsupported(symbol_of(function), FailureKind::kUnsupported, reason);
  return fail(kUnsupported);
}

}  // namespace torchada
