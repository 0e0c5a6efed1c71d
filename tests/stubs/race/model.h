// The library of the race test: 32 functions of a runtime and 32 of a sibling library, with
// trampolines modelled in C++ because ThreadSanitizer does not see into assembly.
#pragma once

constexpr int kFunctions = 64;

// Calls function `index` with `x` as its trampoline would. Each returns x * 100 + index.
int call_through_slot(int index, int x);

// As a profiler: from now on calls pass through the companion, or no longer.
void observe_calls(bool on);
