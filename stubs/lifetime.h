// When MUSA stops being usable: at exit, its destructors take it away; a child of fork() has
// neither its threads nor its connection to the device. Slots then lead to fallbacks.
#pragma once

#include "stubs/table.h"

namespace torchada {

// Every thread that opened libmusart calls this after its constructors, before any thread calls
// MUSA. Calling it again does no harm.
void watch_lifetime();

// Call this after opening another library of MUSA: its destructors run before those of libmusart,
// and before any handler that was registered earlier.
void watch_exit();

// From now on MUSA ends at fork(). Of libraries that do more than tell (Library::tells_only) this
// always holds.
void end_at_fork();

// Whether calls into MUSA are over, and why. Until MUSA is opened here, the other fake libraries
// are asked.
bool is_over(FailureKind* why);

// Whether the loader may not be asked anything, because this process was forked while another
// thread was opening something through a fake library (unfinished.h). Once MUSA is open here,
// is_over tells the same of every function that leads there, and the other fake libraries are not
// asked.
bool is_cut_off();

// The same as is_over in this library alone.
bool is_over_here(FailureKind* why);

}  // namespace torchada
