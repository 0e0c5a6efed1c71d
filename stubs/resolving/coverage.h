// Which of this library's functions the opened MUSA can serve.
#pragma once

#include <stdint.h>

#include "stubs/table.h"

namespace torchada {

// The symbol of that name in this library, or null.
const Symbol* symbol_named(const char* name);

// Whether a call of the symbol with this index would be served: by MUSA, by an adapter, or by the
// user's override. Opens MUSA if nothing has yet. Without MUSA, no symbol that leads there is
// served.
bool resolves(uint32_t index);

// Whether MUSA is present and has a counterpart of this library.
bool has_backend();

// If MUSA is missing, says so once for the library, like a call that leads there. For adapters,
// whose own calls fail silently; `function` is CUDA's name.
void report_absence(const char* function);

}  // namespace torchada
