// Distinguishes torchada libraries from all others.
#pragma once

#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace torchada {

// True if `address` lies in any loaded torchada shim, of this or another CUDA major. Jumping there
// after a lookup would call ourselves forever.
bool in_shim(const void* address);

// Whether a loaded object is a torchada shim.
bool is_shim(const dl_phdr_info* object);

// What the note of such a library holds, and its size in bytes; null for any other object.
const char* note_of(const dl_phdr_info* object, size_t* size);

}  // namespace torchada
