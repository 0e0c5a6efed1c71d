#include "stubs/resolving/trace.h"

#include <string.h>

#include "stubs/process/peers.h"
#include "stubs/reporting/companion.h"

namespace torchada {
namespace {

using Wrap = void* (*)(const char* library, const char* function, void* address, int32_t* settled);

// `wrap` is null until the first lookup. It then holds the companion's function, or `missing`.
void* missing(const char*, const char*, void* address, int32_t*) { return address; }
Wrap wrap;

// Threads that race here find the same function.
Wrap find_wrap() {
  Wrap found = __atomic_load_n(&wrap, __ATOMIC_ACQUIRE);
  if (found) return found;
  found = reinterpret_cast<Wrap>(companion_function("torchada_companion_trace"));
  if (!found) found = missing;
  __atomic_store_n(&wrap, found, __ATOMIC_RELEASE);
  return found;
}

}  // namespace

void* traced(const Symbol& symbol, void* address, bool* settled) {
  if (symbol.decision == Decision::kInternal) return address;
  if (was_cut_off() || is_cut_off_elsewhere()) return address;
  // A library that we are opening, perhaps the companion, calls this from its constructor.
  if (is_opening()) {
    *settled = false;
    return address;
  }
  const CompanionWork work;
  int32_t keeps = 1;
  void* out =
      find_wrap()(torchada_library.soname, torchada_library.strings + symbol.name, address, &keeps);
  if (keeps == 0) *settled = false;
  return out;
}

}  // namespace torchada
