// Tells addresses inside a torchada library from all others.
#pragma once

namespace torchada {

// True if `address` lies in any loaded torchada shim, of this or another CUDA major: jumping there
// in answer to a lookup would call ourselves for ever.
bool in_shim(const void* address);

}  // namespace torchada
