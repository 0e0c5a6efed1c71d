// How a call of a CUDA prototype becomes one of a MUSA prototype whose types differ: what the
// generated adapters do.
#pragma once

#include <string>
#include <vector>

#include "compare.h"
#include "enum_conversion.h"
#include "struct_conversion.h"
#include "tables.h"

namespace torchada {

enum class Conversion {
  kNone,       // The machine does not tell the two apart.
  kEnumIn,     // An enumerator by value.
  kEnumOut,    // A pointer at which MUSA writes an enumerator.
  kNarrowIn,   // A 64-bit integer by value where MUSA takes 32 bits.
  kEnumKnown,  // An enumerator by value whose number MUSA shares, if that is known of it.
  kStructIn,   // A pointer to a struct of another layout, which MUSA reads,
  kStructOut,  // or writes.
  kStream,     // A stream of a `_ptsz` or `_ptds` name, where null is the thread's own.
};

struct ParameterPlan {
  Conversion conversion = Conversion::kNone;
  std::string cuda_type;  // As C sees it: "int", "void *", "int64_t".
  std::string musa_type;
  EnumConversion enumeration;
  StructConversion structure;
};

struct Adaptation {
  bool is_possible = false;
  std::string why_not;
  bool is_evident = true;
  std::vector<ParameterPlan> parameters;
  bool converts_result = false;  // Else the status is the same on both sides.
  EnumConversion result;
  // The last parameter is the thread's own stream, which the caller does not pass; it is waited
  // for, as the caller asked for what is done on return.
  bool waits_for_own_stream = false;
  bool changes_nothing() const;  // A bare jump does the same.
};

// Throws TableError for a type that neither C nor the correspondence knows.
Adaptation adapt(const Tables& tables, const Comparer& comparer, const Prototype& cuda,
                 const Output& output, const MusaPrototype& musa, const Place& place);

// The conversion of one enumeration alone, over all SDKs. No cases where nothing is known of it.
EnumConversion convert_enumeration(const Tables& tables, const Comparer& comparer,
                                   const Output& output, const std::string& cuda,
                                   const std::string& musa, Direction direction);

}  // namespace torchada
