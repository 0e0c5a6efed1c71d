// What a slot leads to when there is no function to jump to: something that returns what the
// caller of that kind of function understands.
#pragma once

#include "table.h"

namespace torchada {

void* fallback_for(const Symbol& symbol, Failure failure);

// Makes `status` the thread's last error where the library has one, and returns it. For adapters.
int fail(int status);

}  // namespace torchada
