// Copies CUDA's environment variables, such as CUDA_VISIBLE_DEVICES, to MUSA's names.
#pragma once

namespace torchada {

// Copies each variable of the map to MUSA's name, unless that is already set. Reads and writes
// nothing in setuid programs. One thread at a time: setenv moves the environment while another
// thread would walk through it. Call it through peers.h, just before MUSA is opened.
void map_environment();

// Call if MUSA was already open: warns about the first variable that came too late.
void report_late_environment();

}  // namespace torchada
