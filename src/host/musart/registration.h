// Device code that a program has registered under addresses of its own: kernels and variables.
#pragma once

#include "musa_runtime_api.h"

namespace musart {

// Why a call about the kernel or the variable at this address of the program fails: what is
// registered is code for Moore Threads' GPUs, which a CPU cannot run. The first time it is named in
// a line. What is not registered gives `unknown`.
musaError_t why_no_code(const void* host, musaError_t unknown);

}  // namespace musart
