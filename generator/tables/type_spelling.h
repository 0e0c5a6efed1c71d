// Types as prototypes spell them: the name in a spelling, and MUSA's spelling of a CUDA type.
#pragma once

#include <string>

#include "generator/tables/tables.h"

namespace torchada {

// "const void **" -> "void": the name behind qualifiers, pointers and array bounds.
std::string base_type(const std::string& spelled);
bool is_c_type(const std::string& base);

// The MUSA spelling of a CUDA type, from the correspondence of types. Throws TableError at `place`
// if the correspondence lacks the type.
std::string musa_spelling(const Tables& tables, const std::string& cuda, const Place& place);

// For a prototype with `like`: the releases of CUDA that it means, and the prototype there. Throw
// TableError if no release has it.
Output like_output(const Tables& tables, const MusaPrototype& musa);
const Prototype& like_prototype(const Tables& tables, const MusaPrototype& musa);

// A MUSA prototype with `like` resolved, spelled in MUSA's types.
Prototype expand(const Tables& tables, const MusaPrototype& musa);

}  // namespace torchada
