// Runs of enumerators with the same conversion, so that an adapter compares bounds instead of one
// number after another.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/adaptation.h"

namespace torchada {

// Numbers first..last become `offset` + `slope` * number; `slope` is 1, 0 or -1.
struct EnumRun {
  std::int64_t first = 0, last = 0;
  std::int64_t slope = 1, offset = 0;
  std::string names;  // Names of the first and the last enumerator.
};

// The fewest runs that cover the cases, in numerical order.
std::vector<EnumRun> runs_of(const std::vector<EnumCase>& cases);

// C expressions for a run and a variable: whether the run contains it, and what it becomes.
std::string run_condition(const EnumRun& run, const std::string& variable);
std::string run_result(const EnumRun& run, const std::string& variable);

}  // namespace torchada
