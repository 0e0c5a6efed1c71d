// Finds the argument by which a function names device code, for the guard that looks it up
// (stubs/cudart/guard.h).
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

struct Guard {
  std::string symbol;
  std::string entry;  // Name of the emitted entry.
  int index = 0;      // Index of the symbol among the emitted ones.
  int word = 0;       // Argument register, from 0.
  int offset = -1;    // Offset of the member in the struct that the register points at, or -1.
  bool is_kernel = false;
  std::string answer;  // Function that answers for registered code; empty if that is refused.
  bool answers_always = false;  // Otherwise only with kernel libraries.
};

// Throws TableError if the row names no parameter or one that is not in a register.
Guard guard_of(const Tables& tables, const Output& output, const CudaSymbol& symbol,
               const ForwardRow& row);

// Definition of torchada_guards; the guards' entries are the adapters from `first` on.
std::string guard_table(const std::vector<Guard>& guards, std::size_t first);

}  // namespace torchada
