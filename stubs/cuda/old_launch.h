// The launch of CUDA 3: a function's block, shared memory and parameters are set one after the
// other, and a launch takes them.
#pragma once

namespace torchada::driver {

// The module is unloaded: what was set for its functions goes.
void forget_set_of(const void* module);

}  // namespace torchada::driver
