// The one plain line a user gets when a call cannot be served.
#pragma once

#include "table.h"
#include "text.h"

namespace torchada {

// Prints `text` unless `flag` says it was printed before, then stops if TORCHADA_STRICT is set.
// In strict mode the stop comes whether or not the line was printed before.
void report_once(uint8_t* flag, const Line& text);

// "NAME is not supported: REASON; returning STATUS", with what the symbol returns.
void report_unsupported(const Symbol& symbol, Failure failure, const char* reason);

// "no MUSA found ...", or, with `folder`, that the library's own counterpart is not there. Once for
// the whole library.
void report_no_backend(const Symbol& symbol, const char* folder);

}  // namespace torchada
