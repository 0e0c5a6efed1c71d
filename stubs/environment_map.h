// Copies CUDA's environment variables, such as CUDA_VISIBLE_DEVICES, to MUSA's names.
#pragma once

namespace torchada {

// Call just before MUSA is opened. Copies each variable of the map to MUSA's name, unless that is
// already set. Reads and writes nothing in setuid programs.
void apply_environment_map();

// Call if MUSA was already open: warns about the first variable that came too late.
void report_late_environment();

}  // namespace torchada
