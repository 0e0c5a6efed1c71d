// How generated adapters turn a call of a CUDA prototype into a call of a MUSA prototype whose
// types differ.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/compare.h"
#include "generator/decide/enum_conversion.h"
#include "generator/decide/struct_conversion.h"
#include "generator/tables/tables.h"

namespace torchada {

enum class Conversion {
  kNone,       // The machine does not distinguish the two.
  kEnumIn,     // An enumerator by value.
  kEnumOut,    // A pointer at which MUSA writes an enumerator.
  kNarrowIn,   // A 64-bit integer by value where MUSA takes 32 bits.
  kEnumKnown,  // An enumerator by value, refused unless MUSA is known to have its number.
  kStructIn,   // A pointer to a struct with another layout, which MUSA reads.
  kStructOut,  // The same, but MUSA writes the struct.
  // A pointer to a struct that both sides have alike, as far as is known: MUSA gets a copy with
  // room behind it.
  kStructCopied,
  kStructsCopied,  // The same for several structs in a row.
  kStream,         // A stream of a `_ptsz` or `_ptds` function, where null means the thread's own.
};

struct ParameterPlan {
  Conversion conversion = Conversion::kNone;
  std::string cuda_type;  // In C: "int", "void *", "int64_t".
  std::string musa_type;
  EnumConversion enumeration;
  StructConversion structure;
  // For kStructCopied: whether MUSA may write the struct.
  bool comes_back = false;
  // For kStructsCopied: the parameter that says how many there are. If it is a pointer, MUSA writes
  // the structs and says how many; otherwise it only reads them.
  std::size_t count = 0;
  bool is_counted_by_musa = false;
};

struct Adaptation {
  bool is_possible = false;
  std::string why_not;
  bool is_evident = true;
  std::vector<ParameterPlan> parameters;
  bool converts_result = false;  // If false, the status is the same on both sides.
  EnumConversion result;         // By converted_statuses.
  // The last parameter is the thread's own stream, which the caller does not pass. The adapter
  // waits for it, because the caller expects the work to be done on return.
  bool waits_for_own_stream = false;
  bool changes_nothing() const;  // A bare jump would do the same.
};

// Throws TableError for a type that is neither a C type nor in the correspondence. `own_stream`:
// the type of streams, for a function in which a null stream is the thread's own.
Adaptation adapt(const Tables& tables, const Comparer& comparer, const Prototype& cuda,
                 const Output& output, const MusaPrototype& musa, const Place& place,
                 const std::string& own_stream = "");

// How a function of MUSA is called with the arguments that one of its `like` prototypes has in
// CUDA: structs that need it go through buffers, everything else stays. Not possible if no struct
// needs it.
Adaptation adapt_call(const Tables& tables, const Comparer& comparer, const MusaPrototype& musa);

// Converts one enumeration, over all SDKs. Has no cases if nothing is known of it.
EnumConversion convert_enumeration(const Tables& tables, const Comparer& comparer,
                                   const Output& output, const std::string& cuda,
                                   const std::string& musa, Direction direction);

// Whether the two sides number any enumerator differently.
bool changes_numbers(const EnumConversion& conversion);

// What becomes of MUSA's statuses, of which `all` are known. If the two sides number any of them
// differently, only documented numbers are converted: by another, MUSA may mean something else, so
// it becomes the library's `failed`.
EnumConversion converted_statuses(EnumConversion all);

}  // namespace torchada
