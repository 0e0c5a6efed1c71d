// The Python functions a thread is in.
#pragma once

#include "native_stack.h"

namespace torchada {

// One call of `say` for each Python function the calling thread is in, innermost first, after a
// line that says so. Nothing in a process without Python. Python's lock is waited for two seconds
// at most: whoever holds it may be waiting for this thread.
void say_python_stack(const SayLine& say);

}  // namespace torchada
