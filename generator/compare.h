// Whether a CUDA prototype and a MUSA one are the same in the machine's eyes: the question that
// decides between a bare jump and an adapter.
#pragma once

#include <set>
#include <string>

#include "tables.h"

namespace torchada {

enum class Sameness {
  kSame,     // Every type is known on both sides and agrees.
  kAssumed,  // Nothing contradicts, but some type of MUSA's is unknown or rests on weak evidence.
  kDiffers,  // An adapter is needed.
};

struct Comparison {
  Sameness sameness = Sameness::kSame;
  std::string why;  // The first type that is not the same, in words. Empty for kSame.
  void worsen(const Comparison& other);
};

// Which way a value crosses the border.
enum class Direction { kIn, kOut, kBoth };

// Of a parameter as spelled: by value it goes in; what a pointer to non-const points at may come
// back.
Direction direction_of(const std::string& spelled);

class Comparer {
 public:
  explicit Comparer(const Tables& tables) : tables_(tables) {}

  // A prototype of `output` against one of MUSA's, for every SDK of that prototype's range.
  // Throws TableError for a type that neither C nor the correspondence knows.
  Comparison prototypes(const Prototype& cuda, const Output& output, const MusaPrototype& musa,
                        const Place& place) const;

  // One CUDA type (as spelled in a prototype) against its MUSA counterpart.
  Comparison types(const std::string& cuda, const std::string& musa, const Output& output,
                   SdkRange sdk, Direction direction, const Place& place) const;

  // The MUSA spelling of a CUDA type, by the correspondence.
  std::string musa_spelling(const std::string& cuda, const Place& place) const;

  // A MUSA prototype with `like` resolved, spelled in MUSA's types.
  Prototype expand(const MusaPrototype& musa) const;

 private:
  Comparison facts(const std::string& base, const TypeFact& cuda, const MusaType& musa,
                   const Output& output, SdkRange sdk, Direction direction,
                   const Place& place) const;
  Comparison enums(const std::string& base, const EnumLayout& cuda, const MusaType& musa,
                   Direction direction) const;
  Comparison structs(const std::string& base, const StructLayout& cuda, const MusaType& musa,
                     const Output& output, SdkRange sdk, Direction direction,
                     const Place& place) const;
  bool is_of_several_sizes(const std::string& struct_name) const;
  const Prototype& like(const MusaPrototype& musa) const;

  const Tables& tables_;
  mutable std::set<std::string> active_;  // Structs being compared: a list node points at itself.
};

// "const void **" -> "void": the name behind qualifiers, pointers and array bounds.
std::string base_type(const std::string& spelled);
bool is_c_type(const std::string& base);

}  // namespace torchada
