// What happens when a traced function, or a callback, is called.
#pragma once

#include "src/companion/trace/traced.h"

namespace torchada::trace {

constexpr std::uint32_t kMostParameters = 32;

// A function that passes its arguments on to the traced function and counts or records the call.
// Null if the system does not allow closures. Never freed, so its argument must not be either.
void* closure_for(Traced* traced);
void* closure_for(Callback* callback);

}  // namespace torchada::trace
