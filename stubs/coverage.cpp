#include "coverage.h"

#include "backend.h"
#include "environment.h"

namespace torchada {

bool resolves(uint32_t index) {
  const Library& library = torchada_library;
  const Symbol& symbol = library.symbols[index];
  const char* name = library.strings + symbol.name;
  if (disabled(name)) return false;
  if (find_in_override(name)) return true;
  switch (symbol.decision) {
    case Decision::kAdapter:
    case Decision::kDirectOrAdapter:
      return true;
    case Decision::kUnsupported:
    case Decision::kNoImage:
      return false;
    case Decision::kDirect:
    case Decision::kInternal:
      break;
  }
  return find_in_backend(symbol.backend, library.targets + symbol.first_target, symbol.target_count,
                         library.strings)
             .result == Lookup::kFound;
}

bool has_backend() {
  return find_in_backend(torchada_library.backend, nullptr, 0, nullptr).result !=
         Lookup::kNoBackend;
}

}  // namespace torchada
