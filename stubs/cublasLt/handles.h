// Programs pass a cuBLAS handle where cuBLASLt wants one of its own (PyTorch does): in NVIDIA's
// library the one is also the other. muBLAS's handles are not.
#pragma once

#include "facts.h"
#include "outcome.h"

namespace torchada {

// What most functions say of a null handle, as recorded from the real libraries.
inline constexpr int kNullHandle = TORCHADA_ABI == 11 ? kInvalid : kNoBackend;

// MUSA's handle for a call with `handle`: itself if cublasLtCreate gave it out, otherwise one of
// the current device, made on demand and never destroyed. Returns a status.
int musa_handle(const Function& function, void* handle, void** musa);

}  // namespace torchada
