// What happens when a traced function, or a callback, is called.
#pragma once

#include "traced.h"

namespace torchada::trace {

constexpr std::uint32_t kMostParameters = 32;

// A function that passes its arguments on to what is traced and counts or records the call. Null
// where the system lets no closure be made. Never freed, nor may its argument be.
void* closure_for(Traced* traced);
void* closure_for(Callback* callback);

}  // namespace torchada::trace
