// Which of this library's functions the opened MUSA can serve.
#pragma once

#include <stdint.h>

#include "table.h"

namespace torchada {

// The symbol of that name in this library; null where it has none.
const Symbol* symbol_named(const char* name);

// Whether a call of the symbol with this index would be served: by MUSA, by an adapter, or by the
// user's override. Opens MUSA if nothing has yet; without one nothing that leads there is served.
bool resolves(uint32_t index);

// Whether MUSA, and in it this library's counterpart, is there.
bool has_backend();

// Where MUSA is not there, says so once for the library, as a call that leads there does. For
// adapters, whose own calls fail silently; `function` is CUDA's name.
void report_absence(const char* function);

}  // namespace torchada
