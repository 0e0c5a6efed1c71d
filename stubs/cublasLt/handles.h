// Programs such as PyTorch pass a cuBLAS handle where cuBLASLt wants its own. In NVIDIA's libraries
// a cuBLAS handle is also a cuBLASLt handle; muBLAS's handles are not.
#pragma once

#include "facts.h"
#include "stubs/adapting/outcome.h"

namespace torchada {

// What most functions answer to a null handle, as recorded from the real libraries.
inline constexpr int kNullHandle = TORCHADA_ABI == 11 ? kInvalid : kNoBackend;

// MUSA's handle for a call with `handle`: `handle` itself if cublasLtCreate returned it; for one of
// cuBLAS's one for the current device, created on demand and never destroyed. Returns a status,
// which for any other handle is kNoBackend: "not initialised" as well.
int musa_handle(const Function& function, void* handle, void** musa);

}  // namespace torchada
