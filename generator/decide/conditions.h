// The documented conditions of one function, ready for stubs/adapting/conditions.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generator/decide/enum_conversion.h"
#include "generator/tables/tables.h"

namespace torchada {

struct ConditionProgram {
  std::vector<std::uint8_t> steps;  // src/shared/condition_steps.h. Empty: nothing is asked.
  // The arguments that the steps number: positions of parameters, from 0.
  std::vector<int> arguments;
};

// By CUDA type: enumerations that are asked about by MUSA's numbers.
using ConvertedEnumerations = std::map<std::string, const EnumConversion*>;

// For generated adapters: the steps number the arguments that a condition names, in the order in
// which they are named. Throws TableError for a condition that `symbol` cannot have.
ConditionProgram conditions_of(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                               const ConvertedEnumerations& converted);
// The same with all parameters as arguments, by position and with CUDA's numbers.
ConditionProgram conditions_by_position(const Tables& tables, const Output& output,
                                        const CudaSymbol& symbol);

// "{2, 1, 0, ...}": the number of arguments, then the steps.
std::string condition_bytes(const ConditionProgram& program);

// Whether a function that is written by hand asks its conditions.
bool is_asked_by_hand(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                      const ForwardRow& row);

// Whether adapters of this library that are written by hand ask conditions, where there are any.
bool asks_by_hand(const Tables& tables, const Output& output);

// Throws TableError for a condition that `symbol` cannot have or that nothing asks, and if it may
// fail and has neither conditions nor an entry in `without`.
void check_conditions(const Tables& tables, const Output& output, const CudaSymbol& symbol);
// Rows and entries that match no function in any output.
std::vector<std::string> unused_conditions(const Tables& tables);

}  // namespace torchada
