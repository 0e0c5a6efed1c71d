// CUDA_INJECTION64_PATH names a library that CUDA loads when it begins, and whose function
// InitializeInjection it calls: so tools get into programs (the guide of CUPTI, "CUPTI
// Initialization").
#pragma once

namespace torchada {

// Does so once in a process, whichever replacement library calls this first. Calls the library's
// function, so the caller holds no lock.
void inject();

// The same, for the replacement library in which all of them take turns (peers.h).
void inject_here();

}  // namespace torchada
