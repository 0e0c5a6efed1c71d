#include "stubs/resolving/plan.h"

#include "stubs/resolving/backend.h"
#include "stubs/resolving/lifetime.h"
#include "stubs/resolving/needs.h"
#include "stubs/system/environment.h"

namespace torchada {
namespace {

// Adapters call MUSA through internal symbols. One that MUSA lacks is either needed, and then the
// adapter is not called (needs.h), or the adapter works without it. Without MUSA and at exit,
// adapters report as far as the real library would fail.
bool is_internal(const Symbol& symbol) { return symbol.decision == Decision::kInternal; }

void refuse(Plan* plan, FailureKind failure, const char* reason) {
  plan->outcome = Plan::kRefused;
  plan->failure = failure;
  plan->reason = reason;
}

// Whether MUSA has what the adapter needs. Otherwise makes the plan: the guard of the symbol
// refuses the call by itself.
bool can_serve(Plan* plan, unsigned adapter) {
  const MissingNeed missing = missing_need(adapter);
  plan->settled = plan->settled && missing.settled;
  if (!missing.name) return true;
  plan->adapter = 0;
  plan->address = nullptr;
  plan->target = plan->guard == 0 ? missing.name : nullptr;
  plan->file = missing.file;
  if (plan->guard == 0) {
    const FailureKind failure =
        missing.no_library ? FailureKind::kNoBackend : FailureKind::kUnsupported;
    refuse(plan, failure, nullptr);
  }
  return false;
}

void lead_to_adapter(Plan* plan, const Symbol& symbol) {
  if (!can_serve(plan, symbol.adapter)) return;
  plan->address = torchada_library.adapters[symbol.adapter];
  plan->target = "adapter";
  plan->file = nullptr;
}

bool lead_to_override(Plan* plan, const char* name) {
  const Lookup found = find_in_override(name);
  if (found.result != Lookup::kFound) return false;
  plan->address = found.address;
  plan->settled = found.settled;
  plan->target = name;
  plan->file = found.file;
  return true;
}

// For a symbol whose targets MUSA lacks, or that has none.
void lead_elsewhere(Plan* plan, const Symbol& symbol) {
  const char* strings = torchada_library.strings;
  switch (symbol.decision) {
    case Decision::kAdapter:
    case Decision::kDirectOrAdapter:
      plan->guard = symbol.guard;
      return lead_to_adapter(plan, symbol);
    case Decision::kUnsupported:
      return refuse(plan, FailureKind::kUnsupported, strings + symbol.reason);
    case Decision::kNoImage:
      plan->guard = symbol.guard;
      if (symbol.guard != 0) return;
      return refuse(plan, FailureKind::kNoImage, strings + symbol.reason);
    case Decision::kDirect:
    case Decision::kInternal:
      break;
  }
  plan->guard = symbol.guard;
  if (symbol.guard != 0) return;
  refuse(plan, FailureKind::kUnsupported, nullptr);
  plan->target = strings + torchada_library.targets[symbol.first_target].name;
}

// Whether the adapter serves the symbol whatever MUSA has. It may need no MUSA, so none is opened.
bool is_served_here(const Symbol& symbol) {
  return symbol.decision == Decision::kAdapter && symbol.guard == 0;
}

}  // namespace

Plan plan_route(const Symbol& symbol, unsigned requests) {
  const Library& library = torchada_library;
  Plan plan;
  // Without asking the loader: a child of fork() that inherits such a question half done is refused
  // everything that leads to MUSA.
  const bool has_requests = (requests & (kDisable | kOverride)) != 0;
  if (is_served_here(symbol) && (!has_requests || is_cut_off())) {
    lead_to_adapter(&plan, symbol);
    return plan;
  }
  if (leads_to_musa(symbol)) {
    if (is_over(symbol, &plan.failure)) {
      plan.outcome = Plan::kFailsInSilence;
      return plan;
    }
  } else if (is_cut_off()) {
    plan.outcome = Plan::kFailsInSilence;
    plan.failure = FailureKind::kForked;
    return plan;
  }

  const char* name = library.strings + symbol.name;
  const bool is_disabled = (requests & kDisable) != 0 && !is_internal(symbol) && disabled(name);
  if (!is_disabled) {
    const bool may_be_overridden = (requests & kOverride) != 0 && !is_internal(symbol);
    if (may_be_overridden && lead_to_override(&plan, name)) return plan;
    if (is_served_here(symbol)) {
      lead_to_adapter(&plan, symbol);
      return plan;
    }
  }

  // A symbol without targets asks too: the real library checks for the driver before anything else.
  const bool has_targets = leads_to_musa(symbol) && !is_disabled;
  const Lookup found = find_in_backend(symbol.backend, library.targets + symbol.first_target,
                                       has_targets ? symbol.target_count : 0, library.strings);
  plan.settled = found.settled;
  plan.file = found.file;
  if (found.result == Lookup::kNoBackend) {
    refuse(&plan, FailureKind::kNoBackend, nullptr);
  } else if (is_disabled) {
    refuse(&plan, FailureKind::kUnsupported, "disabled by TORCHADA_DISABLE");
  } else if (found.result == Lookup::kFound) {
    plan.address = found.address;
    plan.adapter = found.target->adapter;
    plan.guard = symbol.guard;
    plan.target = library.strings + found.target->name;
    if (plan.adapter != 0) can_serve(&plan, plan.adapter);
    plan.initialises = plan.address && !found.target->only_tells;
  } else {
    lead_elsewhere(&plan, symbol);
  }
  if (plan.outcome == Plan::kRefused && is_internal(symbol)) plan.outcome = Plan::kFailsInSilence;
  return plan;
}

}  // namespace torchada
