#pragma once

namespace torchada {

// The thread's current device, by the runtime of the opened MUSA. False where there is none.
bool get_current_device(int* device);

}  // namespace torchada
