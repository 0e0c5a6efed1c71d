// Searches the kernel libraries, and what is made on demand, for a name.
#pragma once

#include <stdint.h>

#include "stubs/kernels/loaded.h"

namespace torchada::kernels {

// Returns MUSA's status if they cannot be asked.
int search(uint32_t number, const Asker& asker, Entry* out);

}  // namespace torchada::kernels
