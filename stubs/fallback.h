// What a slot leads to if there is no function to jump to: a function whose result the caller
// understands.
#pragma once

#include "stubs/table.h"

namespace torchada {

void* fallback_for(const Symbol& symbol, FailureKind failure);

// Makes `status` the thread's last error if the library keeps one, and returns it. For adapters.
int fail(int status);

}  // namespace torchada
