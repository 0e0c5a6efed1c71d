// What a slot leads to if there is no function to jump to: a function whose result the caller
// understands.
#pragma once

#include "stubs/table.h"

namespace torchada {

// What the function itself answers to this failure, or null for the library's usual answer.
const OwnStatus* own_status(const Symbol& symbol, FailureKind failure);

void* fallback_for(const Symbol& symbol, FailureKind failure);

// Makes `status` the thread's last error if the library keeps one, and returns it. For adapters.
int fail(int status);

}  // namespace torchada
