// When MUSA stops being usable: at exit, its destructors take it away; a child of fork() has
// neither its threads nor its connection to the device. Slots then lead to fallbacks.
#pragma once

#include "stubs/table.h"

namespace torchada {

// Every thread that opened libmusart calls this after its constructors, before any thread calls
// MUSA. Calling it again does no harm. Returns whether a profiler sees the calls of another
// replacement library: it shall see this one's.
bool watch_lifetime();

// Call this after opening another library of MUSA: its destructors run before those of libmusart,
// and before any handler that was registered earlier.
void watch_exit();

// Call this before a call that may initialise MUSA (Target::only_tells): from now on MUSA ends at
// fork(), for every replacement library of the process, and MUSA sees CUDA's variables.
void begin_work();

// From now on MUSA ends at fork() in this library.
void end_here_at_fork();

// Whether MUSA would end at fork() here.
bool ends_at_fork();

// Whether calls of what `symbol` leads to are over, and why. Until MUSA is opened here, and in a
// child of fork(), the other replacement libraries are asked.
bool is_over(const Symbol& symbol, FailureKind* why);

// Whether the loader may not be asked anything, because this process was forked while another
// thread was opening something through a replacement library (unfinished.h). The other replacement
// libraries are asked as by is_over.
bool is_cut_off();

// Whether calls into MUSA are over in this library alone.
bool is_over_here(FailureKind* why);

// A replacement library that has something to ask MUSA when the program ends has it.
extern "C" __attribute__((weak)) TORCHADA_HIDDEN void torchada_before_exit();

}  // namespace torchada
