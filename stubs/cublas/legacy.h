// The old interface of cuBLAS (cublas.h): no handle, and errors are kept for cublasGetError. The
// emitted through.cpp turns its calls into those of the present interface.
#pragma once

#include "table.h"

namespace torchada {

// The handle of the current device, made at its first use; its pointer mode is the host's. 0, or
// the status that tells why there is none.
TORCHADA_HIDDEN int legacy_handle(void** handle);

// Keeps a status other than success until cublasGetError reads it.
TORCHADA_HIDDEN void legacy_keep(int status);

}  // namespace torchada
