#include "stubs/resolving/trace.h"

#include <string.h>

#include "stubs/process/peers.h"
#include "stubs/reporting/companion.h"

namespace torchada {
namespace {

using Wrap = void* (*)(const char* library, const char* function, void* address, int32_t* settled);

void* missing(const char*, const char*, void* address, int32_t*) { return address; }

// Null until the first lookup. Then the companion's functions, or `missing`.
Wrap trace_wrap, observe_wrap;

// Threads that race here find the same function.
Wrap find_wrap(Wrap* known, const char* name) {
  Wrap found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  if (found) return found;
  found = reinterpret_cast<Wrap>(companion_function(name));
  if (!found) found = missing;
  __atomic_store_n(known, found, __ATOMIC_RELEASE);
  return found;
}

void* through_companion(Wrap* known, const char* name, const Symbol& symbol, void* address,
                        bool* settled) {
  if (symbol.decision == Decision::kInternal) return address;
  if (was_cut_off() || is_cut_off_elsewhere()) return address;
  // A library that we are opening, perhaps the companion, calls this from its constructor.
  if (is_opening()) {
    *settled = false;
    return address;
  }
  const CompanionWork work;
  int32_t keeps = 1;
  void* out = find_wrap(known, name)(torchada_library.soname,
                                     torchada_library.strings + symbol.name, address, &keeps);
  if (keeps == 0) *settled = false;
  return out;
}

}  // namespace

void* traced(const Symbol& symbol, void* address, bool* settled) {
  return through_companion(&trace_wrap, "torchada_companion_trace", symbol, address, settled);
}

void* observed(const Symbol& symbol, void* address, bool* settled) {
  return through_companion(&observe_wrap, "torchada_companion_observe", symbol, address, settled);
}

}  // namespace torchada
