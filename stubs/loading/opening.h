// Opens MUSA once its environment is there: CUDA's variables are copied to MUSA's before.
#pragma once

#include "stubs/loading/installation.h"

namespace torchada {

// Uses a libmusart that is already in the process, otherwise opens one. Maps the environment
// before, unless the call that needs MUSA only tells (Target). False if there is none or if it does
// not open.
bool open_installation(bool only_tells, Backend* backend);

// Whether this library opened MUSA for a call that only tells, and was not asked this before. Then
// the environment was not mapped, and whoever asks does that.
bool take_opening_to_tell();

// Maps the environment if MUSA was opened, through whichever replacement library, without that.
void map_environment_for_work();

}  // namespace torchada
