// The end of MUSA's usefulness: when the process exits its destructors take it away, and a child of
// fork() has no threads and no connection to the device. Slots then lead to fallbacks.
#pragma once

#include "table.h"

namespace torchada {

// To be called when libmusart has been opened and constructed, by every thread that opened it,
// before any thread calls it. Calling it again does no harm.
void watch_lifetime();

// The same when another library of MUSA has been opened: its destructors run before those of
// libmusart, and before a handler that was registered earlier.
void watch_exit();

// Whether calls into MUSA are over, and why. Until MUSA is opened here, the other fake libraries
// are asked.
bool is_over(Failure* why);

// The same in this library alone.
bool is_over_here(Failure* why);

}  // namespace torchada
