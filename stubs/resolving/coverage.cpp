#include "stubs/resolving/coverage.h"

#include <string.h>

#include "stubs/reporting/report.h"
#include "stubs/resolving/backend.h"
#include "stubs/resolving/needs.h"
#include "stubs/system/environment.h"

namespace torchada {

const Symbol* symbol_named(const char* name) {
  const Library& library = torchada_library;
  for (uint32_t i = 0; i < library.symbol_count; ++i) {
    if (strcmp(library.strings + library.symbols[i].name, name) == 0) return &library.symbols[i];
  }
  return nullptr;
}

bool resolves(uint32_t index) {
  const Library& library = torchada_library;
  const Symbol& symbol = library.symbols[index];
  const char* name = library.strings + symbol.name;
  if (disabled(name)) return false;
  if (find_in_override(name).result == Lookup::kFound) return true;
  switch (symbol.decision) {
    case Decision::kAdapter:
      return !missing_need(symbol.adapter).name;
    case Decision::kUnsupported:
    case Decision::kNoImage:
      return false;
    case Decision::kDirect:
    case Decision::kInternal:
    case Decision::kDirectOrAdapter:
      break;
  }
  const Lookup found = find_in_backend(symbol.backend, library.targets + symbol.first_target,
                                       symbol.target_count, library.strings);
  if (found.result == Lookup::kFound) return true;
  return symbol.decision == Decision::kDirectOrAdapter && !missing_need(symbol.adapter).name;
}

bool has_backend() {
  return find_in_backend(torchada_library.backend, nullptr, 0, nullptr).result !=
         Lookup::kNoBackend;
}

void report_absence(const char* function) {
  const Lookup found = find_in_backend(torchada_library.backend, nullptr, 0, nullptr);
  if (found.result != Lookup::kNoBackend) return;
  const Symbol* const symbol = symbol_named(function);
  if (symbol) report_no_backend(*symbol, found.file);
}

}  // namespace torchada
