// Distinguishes torchada libraries from all others.
#pragma once

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "stubs/system/mapped_path.h"

namespace torchada {

// True if `address` lies in any loaded replacement library, of this or another CUDA major. Jumping
// there after a lookup would call ourselves forever.
bool in_replacement(const void* address);

// Where the loaded object that contains `address` begins; 0 if there is none, and for a program
// that is not relocatable. Appends its file to `path`, but nothing for the program itself.
uintptr_t object_of(const void* address, MappedPath* path);

// Whether a segment of a loaded object contains `address`.
bool contains(const dl_phdr_info* object, uintptr_t address);

// Whether a loaded object is a replacement library.
bool is_replacement(const dl_phdr_info* object);

// The content of the replacement libraries' note among the notes between `at` and `end`, which a
// segment of that alignment holds, and its size in bytes; null if it is not among them.
const char* note_in(const char* at, const char* end, size_t align, size_t* size);

// What the note of such a library holds, and its size in bytes; null for any other object.
const char* note_of(const dl_phdr_info* object, size_t* size);

}  // namespace torchada
