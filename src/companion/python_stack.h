// The Python functions that a thread is in.
#pragma once

#include "src/companion/native_stack.h"

namespace torchada {

// Calls `say` with a heading and then once for each Python function that the calling thread is in,
// innermost first. Does nothing in a process without Python. Waits at most two seconds for Python's
// lock, because its holder may be waiting for this thread.
void say_python_stack(const SayLine& say);

}  // namespace torchada
