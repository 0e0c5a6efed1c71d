// Calls that a profiler wants to see (stubs/cupti): they pass through the companion, as traced ones
// do. Slots that lead elsewhere already are put back to where they were before their first call, so
// that the resolver asks the companion again.
#pragma once

#include <stdint.h>

namespace torchada {

// Grows whenever that begins or ends in this library.
uint32_t observed_epoch();
inline bool is_observed(uint32_t epoch) { return epoch % 2 != 0; }

// From now on they are seen, or no longer. Only stores, so it may run in a walk of the loader's.
void observe_here(bool on);

// Puts the slot of a symbol back, unless it holds something else than `seen`.
void put_back(uint32_t symbol, void* seen);

}  // namespace torchada
