// What is done to a whole device.
#pragma once

#include "src/host/musa/runtime.h"

namespace musa {

// Destroys everything the program made on the device and restores its initial state.
musaError_t reset(Runtime& runtime, Device& device);
// Waits for everything on the device, then frees the memory that its pools need not keep.
musaError_t synchronize(Device& device);

}  // namespace musa
