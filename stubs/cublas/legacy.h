// The old interface of cuBLAS (cublas.h): no handle, and errors are kept for cublasGetError. The
// emitted delegates.cpp turns its calls into calls of the current interface.
#pragma once

#include "stubs/table.h"

namespace torchada {

// The current device's handle, created at its first use, in host pointer mode. Returns 0, or the
// status that says why there is no handle.
TORCHADA_HIDDEN int legacy_handle(void** handle);

// Keeps a status other than success until cublasGetError reads it.
TORCHADA_HIDDEN void legacy_keep(int status);

}  // namespace torchada
