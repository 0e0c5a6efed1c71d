// The fake libraries of one process. Each has its own copy of everything in stubs/, but they share
// one MUSA: what happens to it through one of them holds for all.
#pragma once

#include "stubs/table.h"

namespace torchada {

// Whether this thread is inside a dlopen of ours, begun in this library or in another of ours. What
// it resolves then may be shown to no other thread.
bool is_opening();

// Whether calls into MUSA are over in another fake library, and why.
bool is_over_elsewhere(FailureKind* why);

// Whether this process was forked while another thread was in Unfinished work (unfinished.h) of
// another fake library.
bool is_cut_off_elsewhere();

// Whether MUSA would end at fork() in another fake library (lifetime.h).
bool ends_at_fork_elsewhere();

// From now on MUSA ends at fork() in all other fake libraries.
void end_at_fork_elsewhere();

// See take_opening_to_tell (installation.h).
bool take_opening_to_tell_elsewhere();

// Runs map_environment (environment_map.h) in the first fake library of the process, so that all of
// them take turns in one place.
void map_environment_in_first();

// The same for map_visible_devices.
void map_visible_devices_in_first();

// cuBLAS's handles are cuBLASLt's as well: tells every fake cuBLASLt that one was made, or ends.
void tell_of_blas_handle(void* handle, bool is_made);

// A fake cuBLASLt has it, and is told so.
extern "C" __attribute__((weak)) TORCHADA_HIDDEN void torchada_hear_of_blas_handle(void* handle,
                                                                                   bool is_made);

}  // namespace torchada
