#include "stubs/resolving/needs.h"

#include "stubs/resolving/lifetime.h"

namespace torchada {
namespace {

// At the end of the process, and after some forks, MUSA is not asked any more.
bool may_ask(const Symbol& symbol) {
  FailureKind over;
  return !is_cut_off() && !is_over(symbol, &over);
}

}  // namespace

MissingNeed missing_need(unsigned adapter) {
  const Library& library = torchada_library;
  MissingNeed out;
  for (uint32_t i = 0; i < library.need_count; ++i) {
    if (library.needs[i].adapter != adapter) continue;
    const Symbol& symbol = library.symbols[library.needs[i].symbol];
    if (!may_ask(symbol)) return out;
    const Lookup found = find_in_backend(symbol.backend, library.targets + symbol.first_target,
                                         symbol.target_count, library.strings);
    out.settled = out.settled && found.settled;
    out.no_library = found.result == Lookup::kNoBackend;
    if (found.result == Lookup::kFound || (out.no_library && !found.file)) continue;
    out.name = library.strings + library.targets[symbol.first_target].name;
    out.file = found.file;
    return out;
  }
  return out;
}

}  // namespace torchada
