// Calls that pass through the companion.
#pragma once

#include "stubs/table.h"

namespace torchada {

// Call this if TORCHADA_TRACE is set. Returns the address that makes a slot trace the calls of
// `symbol`, or `address` itself if that is impossible. Sets `settled` to false if the slot must not
// keep the result.
void* traced(const Symbol& symbol, void* address, bool* settled);

// The same while a profiler sees the calls (observed.h).
void* observed(const Symbol& symbol, void* address, bool* settled);

}  // namespace torchada
