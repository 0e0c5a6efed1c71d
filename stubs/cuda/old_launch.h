// The launch of CUDA 3: a function's block, shared memory and parameters are set one after the
// other, and a launch takes them.
#pragma once

namespace torchada::driver {

// What was set for the functions of a module goes.
void forget_set_of(const void* module);

}  // namespace torchada::driver
