// Decides whether a CUDA prototype and a MUSA prototype are the same to the machine, and so whether
// a bare jump will do or an adapter is needed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "generator/tables/tables.h"
#include "generator/tables/type_spelling.h"

namespace torchada {

enum class Sameness {
  kSame,     // Every type is known on both sides and agrees.
  kAssumed,  // Nothing contradicts, but a MUSA type is unknown or has weak evidence.
  kDiffers,  // An adapter is needed.
};

// A fact about MUSA whose evidence is weaker than tier `doc`.
struct WeakFact {
  std::string text;            // In words. Empty if there is none.
  const Tier* tier = nullptr;  // Of the fact in the tables (FactNames); null if they list none.
  // As the tier; more than any of them for what the tables list as unknown, and less for what they
  // list no fact for, because nobody could settle that.
  int weakness = 0;

  bool empty() const { return text.empty(); }
  bool is_unknown() const { return !tier || weakness > static_cast<int>(Tier::kAbsent); }
  // Becomes `other` if the evidence for that is weaker.
  void weaken(const WeakFact& other);
};
WeakFact weak_fact(const std::string& text, const Tier& tier);
// `tier`: of the fact that the tables list as unknown, or null if they list none.
WeakFact unknown_fact(const std::string& text, const Tier* tier = nullptr);

struct Comparison {
  Sameness sameness = Sameness::kSame;
  std::string why;  // The first type that differs, or the weakest that is assumed, in words.
  WeakFact weak;    // For kAssumed.
  // For kDiffers: the types agree, but a struct goes through a buffer (see takes_buffer).
  bool needs_only_buffer = false;
  void worsen(const Comparison& other);
};

// Which way a value passes between program and MUSA.
enum class Direction { kIn, kOut, kBoth };

// The direction of a parameter as spelled: a value goes in; what a pointer to non-const points at
// may come back.
Direction direction_of(const std::string& spelled);

class Comparer {
 public:
  explicit Comparer(const Tables& tables) : tables_(tables) {}

  // Compares a prototype of `output` with one of MUSA's, for every SDK in that prototype's range.
  // Throws TableError for a type that is neither a C type nor in the correspondence.
  Comparison prototypes(const Prototype& cuda, const Output& output, const MusaPrototype& musa,
                        const Place& place) const;

  // Compares one CUDA type (as spelled in a prototype) with its MUSA counterpart.
  Comparison types(const std::string& cuda, const std::string& musa, const Output& output,
                   SdkRange sdk, Direction direction, const Place& place) const;

  // Whether a struct that a parameter points at must go through a buffer that is longer than any
  // version of it: CUDA's releases have it in several sizes, or its size in MUSA is not known at
  // tier `doc` or better for every SDK of the range. MUSA could write behind the program's struct.
  bool takes_buffer(const std::string& cuda, const std::string& musa, const Output& output,
                    SdkRange sdk) const;

 private:
  Comparison results(const std::string& cuda, const std::string& musa, const Output& output,
                     SdkRange sdk, const Place& place) const;
  Comparison facts(const std::string& base, const TypeFact& cuda, const MusaType& musa,
                   const Output& output, SdkRange sdk, Direction direction,
                   const Place& place) const;
  bool is_size_known(const std::string& musa_struct, SdkRange sdk) const;
  const Comparison& enums(const std::string& base, const EnumLayout& cuda, const MusaType& musa,
                          Direction direction) const;
  Comparison compare_enums(const std::string& base, const EnumLayout& cuda, const MusaType& musa,
                           Direction direction) const;
  Comparison structs(const std::string& base, const StructLayout& cuda, const MusaType& musa,
                     const Output& output, SdkRange sdk, Direction direction,
                     const Place& place) const;
  bool is_of_several_sizes(const std::string& struct_name) const;

  const Tables& tables_;
  // Results of enums(): nearly every function returns one of a few status types.
  mutable std::map<std::tuple<const EnumLayout*, const MusaType*, Direction>, Comparison> enums_;
  mutable std::set<std::string> active_;  // Structs being compared: a list node points at itself.
};

}  // namespace torchada
