// Which number on one side stands for which number on the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generator/decide/compare.h"

namespace torchada {

// The conversion of one enumerator.
struct EnumCase {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string name;            // The name on the source side.
  bool is_evident = true;      // MUSA's number rests on tier `doc` or better.
  const Tier* tier = nullptr;  // Of that number, in the tables.
};

struct EnumConversion {
  std::string cuda_type, musa_type;
  std::vector<EnumCase> cases;
  std::vector<EnumCase> refused;  // Inward: known to CUDA, not to MUSA; `to` has no meaning.
  bool is_evident = true;         // Every number rests on tier `doc` or better.
  // Inward: every combination of the cases' bits also passes, unchanged.
  bool is_combined = false;
};

// The weakest of its numbers. Empty if all of them rest on tier `doc` or better.
WeakFact weakest_number(const EnumConversion& conversion);

}  // namespace torchada
