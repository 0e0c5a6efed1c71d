// The first call of a symbol: plan where its slot shall lead, then carry the plan out. The cold
// path in arch/ calls this after saving every argument register.
#include <errno.h>

#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/report.h"
#include "stubs/reporting/summary.h"
#include "stubs/resolving/lifetime.h"
#include "stubs/resolving/observed.h"
#include "stubs/resolving/plan.h"
#include "stubs/resolving/trace.h"
#include "stubs/system/environment.h"
#include "stubs/table.h"

namespace torchada {
namespace {

TORCHADA_APART void log_route(const Symbol& symbol, const Plan& plan) {
  if (plan.outcome != Plan::kServed || !plan.target) return;
  Line line;
  line << torchada_library.strings + symbol.name << " -> " << plan.target;
  if (plan.file) line << " in " << plan.file;
  log(LogLevel::kDebug, line);
}

// Puts an adapter or a guard in front of `callee`. Index 0: none.
void* in_front_of(void* callee, uint16_t index) {
  if (index == 0) return callee;
  // Stored before the slot leads to it: a thread that finds it in the slot must find its callee.
  __atomic_store_n(&torchada_callees[index], callee, __ATOMIC_RELEASE);
  return torchada_library.adapters[index];
}

TORCHADA_APART void report(const Symbol& symbol, const Plan& plan) {
  if (plan.failure == FailureKind::kNoBackend) return report_no_backend(symbol, plan.file);
  if (plan.reason) return report_unsupported(symbol, plan.failure, plan.reason);
  Line reason;
  reason << plan.target << " is not exported by " << plan.file;
  report_unsupported(symbol, plan.failure, reason.c_str());
}

// Carries the plan out and returns the address to jump to. `seen` is what the slot held before the
// plan was made.
void* settle(uint32_t index, void* seen, const Plan& plan, unsigned requests) {
  const Symbol& symbol = torchada_library.symbols[index];
  if (requests & kLogRoutes) log_route(symbol, plan);
  if (plan.outcome == Plan::kRefused) report(symbol, plan);
  if (plan.initialises) begin_work();
  void* address = plan.outcome == Plan::kServed
                      ? in_front_of(in_front_of(plan.address, plan.adapter), plan.guard)
                      : fallback_for(symbol, plan.failure);
  bool settled = plan.settled;
  if (requests & kSummary) {
    begin_summary();
    if (plan.outcome == Plan::kRefused) settled = false;  // Every call comes here to be counted.
  }
  if (requests & kTrace) address = traced(symbol, address, &settled);
  // Not before the plan, which may have begun it: MUSA was opened here after a profiler had begun.
  const uint32_t epoch = observed_epoch();
  if (is_observed(epoch)) address = observed(symbol, address, &settled);
  if (settled) {
    // The process may have exited or forked meanwhile. The slot then holds the final fallback,
    // which must stay.
    __atomic_compare_exchange_n(&torchada_slots[index], &seen, address, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_RELAXED);
    // The slots may have been put back before this store.
    if (observed_epoch() != epoch) put_back(index, address);
  }
  FailureKind over;
  return leads_to_musa(symbol) && is_over(symbol, &over) ? fallback_for(symbol, over) : address;
}

}  // namespace

// Resolving twice gives the same answer, so racing threads need no lock: each stores the same
// value. The store's release pairs with the load in the trampoline, which on x86-64 is an acquire.
extern "C" TORCHADA_HIDDEN void* torchada_resolve(uint32_t index) {
  const int saved_errno = errno;
  // Acquire: a thread that reads the final fallback here must also see the end in is_over.
  void* seen = __atomic_load_n(&torchada_slots[index], __ATOMIC_ACQUIRE);
  const unsigned asked = requests();
  const Plan plan = plan_route(torchada_library.symbols[index], asked);
  void* address = settle(index, seen, plan, asked);
  errno = saved_errno;
  return address;
}

}  // namespace torchada
