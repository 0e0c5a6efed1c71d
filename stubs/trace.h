// TORCHADA_TRACE: calls pass through the companion on their way.
#pragma once

#include "table.h"

namespace torchada {

// What a slot shall hold so that calls of `symbol` are traced, `address` where nobody asks for that
// or it cannot be. Sets `settled` to false where the slot must not keep it.
void* traced(const Symbol& symbol, void* address, bool* settled);

}  // namespace torchada
