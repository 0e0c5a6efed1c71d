// One enumerator's number on one side for each on the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torchada {

// One case of an enumerator's conversion.
struct EnumCase {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string name;  // Of what it is converted from.
};

struct EnumConversion {
  std::string cuda_type, musa_type;
  std::vector<EnumCase> cases;
  std::vector<EnumCase> refused;  // In: known to CUDA, not to MUSA.
  bool is_evident = true;         // Every number rests on tier `doc` or better.
  bool is_combined = false;       // In: also every combination of the cases' bits, as it is.
};

}  // namespace torchada
