// Finds the address that a symbol's slot shall hold. The cold path in arch/ calls this on the first
// call of each symbol, after saving every argument register.
#include <errno.h>

#include "stubs/backend.h"
#include "stubs/environment.h"
#include "stubs/fallback.h"
#include "stubs/lifetime.h"
#include "stubs/log.h"
#include "stubs/peers.h"
#include "stubs/report.h"
#include "stubs/summary.h"
#include "stubs/table.h"
#include "stubs/trace.h"

namespace torchada {
namespace {

struct Route {
  void* address;
  bool settled;          // Whether the slot may keep it.
  bool refused = false;  // A fallback. TORCHADA_SUMMARY counts every call of it.
};

// Logs where a symbol leads, at its first call.
void log_route(const Symbol& symbol, const char* target, const char* file) {
  if (log_level() < LogLevel::kDebug) return;
  Line line;
  line << torchada_library.strings + symbol.name << " -> " << target;
  if (file) line << " in " << file;
  log(LogLevel::kDebug, line);
}

// Puts the symbol's guard, if it has one, in front of `found`. The slot then gets the guard, which
// jumps to `found`; a null address means that the guard has nothing to jump to.
Route behind_guard(const Symbol& symbol, Route found) {
  if (symbol.guard == 0) return found;
  const unsigned place = symbol.guard - 1U;
  __atomic_store_n(&torchada_adapted[place], found.address, __ATOMIC_RELEASE);
  return {torchada_library.adapters[place], found.settled};
}

Route route_to_backend(const Symbol& symbol) {
  const Library& library = torchada_library;
  const bool internal = symbol.decision == Decision::kInternal;
  const Lookup found = find_in_backend(symbol.backend, library.targets + symbol.first_target,
                                       symbol.target_count, library.strings);
  switch (found.result) {
    case Lookup::kFound:
      log_route(symbol, library.strings + found.target->name, found.file);
      if (found.target->adapter != 0) {
        // Stored before the slot leads to the adapter: a thread that finds the adapter in the slot
        // must find its callee too.
        const unsigned adapter = found.target->adapter - 1U;
        __atomic_store_n(&torchada_adapted[adapter], found.address, __ATOMIC_RELEASE);
        return behind_guard(symbol, {library.adapters[adapter], found.settled});
      }
      return behind_guard(symbol, {found.address, found.settled});
    case Lookup::kNoBackend:
      if (!internal) report_no_backend(symbol, found.file);
      return {fallback_for(symbol, FailureKind::kNoBackend), found.settled, !internal};
    case Lookup::kMissing:
      break;
  }
  if (symbol.decision == Decision::kDirectOrAdapter) {
    log_route(symbol, "adapter", nullptr);
    return behind_guard(symbol, {library.adapters[symbol.adapter], found.settled});
  }
  if (symbol.guard != 0) return behind_guard(symbol, {nullptr, found.settled});
  if (!internal) {
    Line reason;
    reason << library.strings + library.targets[symbol.first_target].name << " is not exported by "
           << found.file;
    report_unsupported(symbol, FailureKind::kUnsupported, reason.c_str());
  }
  return {fallback_for(symbol, FailureKind::kUnsupported), found.settled, !internal};
}

// A symbol that needs no function of MUSA still answers "no driver" without MUSA: the real library
// checks for the driver first.
bool lacks_backend(const Symbol& symbol, Route* route) {
  const Lookup found = find_in_backend(symbol.backend, nullptr, 0, nullptr);
  route->settled = found.settled;
  if (found.result != Lookup::kNoBackend) return false;
  report_no_backend(symbol, found.file);
  route->address = fallback_for(symbol, FailureKind::kNoBackend);
  route->refused = true;
  return true;
}

// Leads to the guard without looking anything up in MUSA. Behind the guard is `address`, or a
// refusal if that is null.
Route route_to_guard(const Symbol& symbol, void* address) {
  Route route{};
  if (lacks_backend(symbol, &route)) return route;
  return behind_guard(symbol, {address, route.settled});
}

Route route_to_refusal(const Symbol& symbol, FailureKind failure, const char* reason) {
  Route route{};
  if (lacks_backend(symbol, &route)) return route;
  report_unsupported(symbol, failure, reason);
  return {fallback_for(symbol, failure), route.settled, true};
}

Route route(const Symbol& symbol) {
  const Library& library = torchada_library;
  if (symbol.decision != Decision::kInternal) {
    const char* name = library.strings + symbol.name;
    if (disabled(name)) {
      return route_to_refusal(symbol, FailureKind::kUnsupported, "disabled by TORCHADA_DISABLE");
    }
    if (void* address = find_in_override(name)) return {address, !is_opening()};
  }
  switch (symbol.decision) {
    case Decision::kAdapter:
      log_route(symbol, "adapter", nullptr);
      if (symbol.guard != 0) return route_to_guard(symbol, library.adapters[symbol.adapter]);
      return {library.adapters[symbol.adapter], true};
    case Decision::kUnsupported:
      return route_to_refusal(symbol, FailureKind::kUnsupported, library.strings + symbol.reason);
    case Decision::kNoImage:
      if (symbol.guard != 0) return route_to_guard(symbol, nullptr);
      return route_to_refusal(symbol, FailureKind::kNoImage, library.strings + symbol.reason);
    case Decision::kDirect:
    case Decision::kInternal:
    case Decision::kDirectOrAdapter:
      break;
  }
  return route_to_backend(symbol);
}

}  // namespace

// Resolving twice gives the same answer, so racing threads need no lock: each stores the same
// value. The store's release pairs with the load in the trampoline, which on x86-64 is an acquire.
extern "C" TORCHADA_HIDDEN void* torchada_resolve(uint32_t index) {
  const int saved_errno = errno;
  const Symbol& symbol = torchada_library.symbols[index];
  // Acquire: a thread that reads the final fallback here must also see the end in is_over.
  void* seen = __atomic_load_n(&torchada_slots[index], __ATOMIC_ACQUIRE);
  FailureKind over;
  Route found = leads_to_musa(symbol) && is_over(&over) ? Route{fallback_for(symbol, over), true}
                                                        : route(symbol);
  begin_summary();
  found.address = traced(symbol, found.address, &found.settled);
  if (found.settled && !(found.refused && summary())) {
    // The process may have exited or forked meanwhile. The slot then holds the final fallback,
    // which must stay.
    __atomic_compare_exchange_n(&torchada_slots[index], &seen, found.address, false,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  }
  if (leads_to_musa(symbol) && is_over(&over)) found.address = fallback_for(symbol, over);
  errno = saved_errno;
  return found.address;
}

}  // namespace torchada
