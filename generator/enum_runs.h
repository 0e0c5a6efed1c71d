// Enumerators that convert alike, so that an adapter compares bounds instead of one number after
// the other.
#pragma once

#include <string>
#include <vector>

#include "adaptation.h"

namespace torchada {

// Numbers first..last become `offset` + `slope` * number; `slope` is 1, 0 or -1.
struct EnumRun {
  std::int64_t first = 0, last = 0;
  std::int64_t slope = 1, offset = 0;
  std::string names;  // Of the first and the last enumerator.
};

// As few as cover the cases, in the order of the numbers.
std::vector<EnumRun> runs_of(const std::vector<EnumCase>& cases);

// The C expressions of a run for a variable: whether it is in it, and what becomes of it.
std::string run_condition(const EnumRun& run, const std::string& variable);
std::string run_result(const EnumRun& run, const std::string& variable);

}  // namespace torchada
