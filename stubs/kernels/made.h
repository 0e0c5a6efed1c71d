// Images that are made on demand (on_demand.h). As files, their numbers follow those of files.h.
// They serve only names for which they were made.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stubs/kernels/names.h"

namespace torchada::kernels {

// Waits until the image for a name is made, if it can be.
void make(uint32_t number, const Name& wanted);

// Keeps why no image can be made for a name.
void note_failure(uint32_t number, const char* reason);

// One more than the place of the image that was made for the name; 0 if none was.
size_t made_for(uint32_t number);

// Of a file or of an image that was made.
const char* path_of(size_t number);

}  // namespace torchada::kernels
