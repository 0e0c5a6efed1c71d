// Calls that name a kernel or a variable: one that the program brought for CUDA is refused with its
// name, whatever else goes to MUSA, which may know it from code that was built for MUSA.
//
// In front of MUSA's function such a symbol has a guard, an emitted entry that looks one argument
// up and then jumps with all of them as they came. The rows with cuda_kernel or cuda_variable in
// mappings/forward/cudart.yaml have one.
#pragma once

#include <stdint.h>

#include "registered_code.h"
#include "table.h"

namespace torchada {

// Emitted, in the order of the numbers that the entries pass.
struct Guard {
  uint16_t symbol;  // Index in the library's table.
  uint16_t place;   // In its adapters, and in torchada_adapted: where calls go on.
  uint8_t word;     // Argument register, from 0, that holds the address.
  int8_t offset;    // -1; else the register holds a pointer to a struct, where the address lies.
  bool is_kernel;   // Else a variable.
  void* answer;     // What a registered one goes to instead of being refused, or null.
};

extern "C" TORCHADA_HIDDEN const Guard torchada_guards[];

}  // namespace torchada
