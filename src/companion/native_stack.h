// The functions that a thread is in.
#pragma once

#include <functional>
#include <string>

namespace torchada {

using SayLine = std::function<void(const std::string&)>;

// Calls `say` once for each frame of the calling thread, innermost first, with address, function,
// source line if the file has it, and file. Leaves out the first frames as long as they are in the
// companion or in the library that contains `inside`.
void say_native_stack(const void* inside, const SayLine& say);

}  // namespace torchada
