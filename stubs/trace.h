// TORCHADA_TRACE: calls pass through the companion.
#pragma once

#include "stubs/table.h"

namespace torchada {

// The address that makes a slot trace the calls of `symbol`. Returns `address` itself if tracing is
// off or impossible. Sets `settled` to false if the slot must not keep the result.
void* traced(const Symbol& symbol, void* address, bool* settled);

}  // namespace torchada
