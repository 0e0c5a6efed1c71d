// CUDA's environment variables in MUSA's names: CUDA_VISIBLE_DEVICES and the like.
#pragma once

namespace torchada {

// Just before MUSA is opened: copies each variable of the map that is set to MUSA's name, unless
// that is set. Reads and writes nothing in setuid programs.
void apply_environment_map();

// Where MUSA was opened by somebody else before: says once which variables came too late.
void report_late_environment();

}  // namespace torchada
