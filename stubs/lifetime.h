// When MUSA stops being usable: at exit, its destructors take it away; a child of fork() has
// neither its threads nor its connection to the device. Slots then lead to fallbacks.
#pragma once

#include "table.h"

namespace torchada {

// Call once, after MUSA is opened.
void watch_lifetime();

// Whether calls into MUSA are over, and why.
bool is_over(FailureKind* why);

}  // namespace torchada
