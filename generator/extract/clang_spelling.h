// Small helpers over libclang's C interface, and the spelling of types in the tables.
#pragma once

#include <clang-c/Index.h>

#include <functional>
#include <string>

#include "generator/tables/model.h"

namespace torchada {

std::string clang_text(CXString text);  // Takes ownership of the string.

// Calls `visit` for each direct child.
void for_each_child(CXCursor parent, const std::function<void(CXCursor)>& visit);

bool is_record(CXCursorKind kind);
// Empty if it has none.
std::string name_of(CXCursor declaration);
bool has_no_name(CXCursor declaration);

// Without "struct ", with typedef names kept: see Parameter::type in model.h.
std::string spell_type(CXType type);
// Prototype of a function type; `declaration` (a function or a typedef) supplies the parameter
// names.
Prototype prototype_of(CXType function, CXCursor declaration);
// What a typedef stands for, after resolving all names.
CXType strip_names(CXType type);
bool is_function_type(CXType type);
bool is_array_type(CXType type);

}  // namespace torchada
