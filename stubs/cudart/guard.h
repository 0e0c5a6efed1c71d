// Calls that name a kernel or a variable. Device code that the program brought for CUDA is looked
// up in the user's kernel libraries (kernel_code.h), or refused by name. Everything else goes to
// MUSA, which may know it from code that was built for MUSA.
//
// Such a function has a guard in front of MUSA's: an emitted entry that looks one argument up and
// then jumps on with all arguments unchanged. The rows with cuda_kernel or cuda_variable in
// mappings/forward/cudart.yaml have one.
#pragma once

#include <stdint.h>

#include "stubs/cudart/registered_code.h"
#include "stubs/table.h"

namespace torchada {

// Emitted, in the order of the numbers that the entries pass.
struct Guard {
  uint16_t symbol;  // Index in the library's table.
  uint16_t place;   // Index in its adapters and in torchada_callees: where calls go on.
  uint8_t word;     // Argument register, from 0, that holds the address.
  int8_t offset;    // -1, or the offset of the address in the struct that the register points to.
  bool is_kernel;   // Otherwise a variable.
  bool answers_always;  // Otherwise only if the user named kernel libraries.
  void* answer;         // Where calls for registered code go instead of being refused, or null.
};

extern "C" TORCHADA_HIDDEN const Guard torchada_guards[];

}  // namespace torchada
