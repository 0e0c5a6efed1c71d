// The one plain line a user gets when a call cannot be served.
#pragma once

#include "table.h"
#include "text.h"

namespace torchada {

// One refused call: prints `text` if it is the `first` of its kind, counts it as `row` for
// TORCHADA_SUMMARY, stops the program under TORCHADA_STRICT whether or not it is the first.
void report_refusal(bool first, const Line& text, const Line& row);

// Whether report_refusal does anything with a call that is not the first of its kind.
bool every_refusal_counts();

// The same; it is the first unless `flag` says that it was printed before.
void report_once(uint8_t* flag, const Line& text);

// "NAME is not supported: REASON; returning STATUS", with what the symbol returns.
void report_unsupported(const Symbol& symbol, Failure failure, const char* reason);

// "no MUSA found ...", or, with `folder`, that the library's own counterpart is not there. Once for
// the whole library.
void report_no_backend(const Symbol& symbol, const char* folder);

}  // namespace torchada
