// Numbers of CUDA's enumerators of which no source of tier `doc` or better says what they mean in
// MUSA: whether they may pass, and whether every one of them has a decision.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

// Whether the MUSA library that a type belongs to numbers as CUDA does, as far as is known
// (`numbered_as_cuda`). A type that no table of MUSA's describes belongs to the library that the
// functions of `output` call.
bool is_numbered_as_cuda(const Tables& tables, const Output& output, const std::string& musa_type);

// Whether MUSA's number, which the tables have as `value`, may stand for an enumerator of the CUDA
// enumeration `type`.
bool may_pass(const Tables& tables, const Output& output, const std::string& type,
              const std::string& enumerator, const std::string& musa_type,
              const MusaEnumValue& value);

// Whether any enumerator of `type` is accepted without a call, or with a line: a mode, which its
// functions keep.
bool is_kept(const TypeCorrespondence& types, const std::string& type);

// The defects of `numbered_as_cuda` and `decided` in themselves, each "FILE:LINE: message".
std::vector<std::string> decision_defects(const Tables& tables);

// The enumerations that `spelled`, the type of a parameter, gives to MUSA: itself, or those of the
// members of the struct that it is or points at.
std::set<std::string> enumerations_in(const Tables& tables, const Output& output,
                                      const std::string& spelled);

// What is wrong with passing an enumeration of CUDA's to MUSA in `output`; empty if nothing is.
// Otherwise, some number needs a decision, or may not reach MUSA.
std::string undecided_number(const Tables& tables, const Output& output, const std::string& type);

}  // namespace torchada
