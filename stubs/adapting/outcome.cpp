#include "stubs/adapting/outcome.h"

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"
#include "stubs/reporting/report.h"
#include "stubs/resolving/backend.h"
#include "stubs/resolving/coverage.h"
#include "stubs/resolving/lifetime.h"

namespace torchada {
namespace {

const Symbol& symbol_of(const Function& function) {
  // Every adapter is in the table: the call came here through its entry.
  return *symbol_named(function.cuda);
}

}  // namespace

int failed_outcome(const Function& function, int musa_status, int documented) {
  FailureKind over;
  const Symbol& symbol = symbol_of(function);
  if (is_over(symbol, &over)) return reinterpret_cast<int (*)()>(fallback_for(symbol, over))();
  // Without MUSA, calls made by adapters fail in silence.
  const Lookup found = find_in_backend(torchada_library.backend, nullptr, 0, nullptr);
  if (found.result == Lookup::kNoBackend) {
    report_no_backend(symbol, found.file);
    return reinterpret_cast<int (*)()>(fallback_for(symbol, FailureKind::kNoBackend))();
  }
  if (documented != 0) return fail(documented);  // NVIDIA's library refuses the call too.
  const int status = status_to_cuda(musa_status);
  if (const char* const name = unsupported_name(musa_status)) {
    report_answer(function.cuda, function.musa, name, musa_status, status);
  } else if (!is_documented(musa_status)) {
    report_undocumented(function.cuda, function.musa, musa_status, status);
  }
  return fail(status);
}

int refuse(const Function& function, const char* reason) {
  report_unsupported(symbol_of(function), FailureKind::kUnsupported, reason);
  return fail(kUnsupported);
}

}  // namespace torchada
