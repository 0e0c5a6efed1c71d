// How a call of a CUDA prototype becomes one of a MUSA prototype whose types differ: what the
// generated adapters do.
#pragma once

#include <string>
#include <vector>

#include "compare.h"
#include "tables.h"

namespace torchada {

enum class Conversion {
  kNone,      // The machine does not tell the two apart.
  kEnumIn,    // An enumerator by value.
  kEnumOut,   // A pointer at which MUSA writes an enumerator.
  kNarrowIn,  // A 64-bit integer by value where MUSA takes 32 bits.
};

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

struct ParameterPlan {
  Conversion conversion = Conversion::kNone;
  std::string cuda_type;  // As C sees it: "int", "void *", "int64_t".
  std::string musa_type;
  EnumConversion enumeration;
};

struct Adaptation {
  bool is_possible = false;
  std::string why_not;
  bool is_evident = true;
  std::vector<ParameterPlan> parameters;
  bool converts_result = false;  // Else the status is the same on both sides.
  EnumConversion result;
};

// Throws TableError for a type that neither C nor the correspondence knows.
Adaptation adapt(const Tables& tables, const Comparer& comparer, const Prototype& cuda,
                 const Output& output, const MusaPrototype& musa, const Place& place);

}  // namespace torchada
