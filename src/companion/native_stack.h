// The functions a thread is in.
#pragma once

#include <functional>
#include <string>

namespace torchada {

using SayLine = std::function<void(const std::string&)>;

// One call of `say` for each frame of the calling thread, innermost first, with address, function,
// source line where the file has them, and file. Left out are the frames at the beginning that lie
// in the companion and in the library `inside` belongs to.
void say_native_stack(const void* inside, const SayLine& say);

}  // namespace torchada
