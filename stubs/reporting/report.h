// The one plain line a user gets when a call cannot be served.
#pragma once

#include "src/shared/log_level.h"
#include "src/shared/text.h"
#include "stubs/table.h"

namespace torchada {

// The level of lines about refused calls.
inline LogLevel refusal_level() {
  return torchada_library.tells_only ? LogLevel::kInfo : LogLevel::kWarn;
}

// Handles one refused call. Prints `text` if the call is the `first` of its kind, counts it as
// `row` for TORCHADA_SUMMARY, and stops the program under TORCHADA_STRICT whether or not it is the
// first.
void report_refusal(bool first, const Line& text, const Line& row,
                    LogLevel level = refusal_level());

// The line of the last refused call; empty if there is none. As in NCCL, another thread's refusal
// may change it while it is read.
const char* last_refusal();

// Whether report_refusal does anything for a call that is not the first of its kind.
bool every_refusal_counts();

// The same for a call that is the first unless `flag` is already set; sets `flag`.
void report_once(uint8_t* flag, const Line& text);

// "NAME is not supported: REASON; returning STATUS", with what the symbol returns.
void report_unsupported(const Symbol& symbol, FailureKind failure, const char* reason);

// Says "no MUSA found ..." or, with the path of a libmusart, that its folder lacks the library's
// counterpart. Once for the whole library.
void report_no_backend(const Symbol& symbol, const char* musart);

}  // namespace torchada
