// The end of MUSA's usefulness: when the process exits its destructors take it away, and a child of
// fork() has no threads and no connection to the device. Slots then lead to fallbacks.
#pragma once

#include "table.h"

namespace torchada {

// To be called once, when MUSA has been opened.
void watch_lifetime();

// Whether calls into MUSA are over, and why.
bool is_over(Failure* why);

}  // namespace torchada
