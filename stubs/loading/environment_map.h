// Copies CUDA's environment variables, such as CUDA_VISIBLE_DEVICES, to MUSA's names.
#pragma once

namespace torchada {

// Copies each variable of the map to MUSA's name, unless that is already set. Reads and writes
// nothing in setuid programs. One thread at a time: setenv moves the environment while another
// thread would walk through it. Called through map_environment_in_first, just before MUSA is
// opened.
void map_environment();

// Runs the above in the first replacement library of the process, so that all of them take turns in
// one place.
void map_environment_in_first();

// Call once libmusart is open and before anything of MUSA is called: sets the variable for visible
// devices if map_environment left it, because its value names devices by UUID. Only the driver's
// MTML knows them, and which driver is right is known by the opened libmusart alone. No lock is
// held meanwhile: MTML's own constructors may wait for the loader. Called through
// map_visible_devices_in_first.
void map_visible_devices();

// The same as for map_environment.
void map_visible_devices_in_first();

// Call if MUSA was already open: warns about the first variable that came too late.
void report_late_environment();

}  // namespace torchada
