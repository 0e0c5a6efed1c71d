// Whether the opened MUSA has what an adapter calls. Adapters do not ask: one that lacks a function
// is never called, and the function of CUDA is refused like any other that MUSA lacks.
#pragma once

#include "stubs/resolving/backend.h"

namespace torchada {

struct MissingNeed {
  const char* name = nullptr;  // Of MUSA's function; null if nothing is missing.
  const char* file = nullptr;  // The library without it. With `no_library`: see Lookup::file.
  bool no_library = false;     // This MUSA lacks the whole library.
  bool settled = true;         // See Lookup::settled.
};

// Looks for the functions that torchada_library.adapters[adapter] needs, and opens MUSA if there
// are any. Without MUSA nothing counts as missing: adapters answer then as the real library does
// without a driver.
MissingNeed missing_need(unsigned adapter);

}  // namespace torchada
