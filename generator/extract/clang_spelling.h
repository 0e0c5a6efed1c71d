// Small helpers over libclang's C interface, and the spelling of types in the tables.
#pragma once

#include <clang-c/Index.h>

#include <functional>
#include <string>

#include "model.h"

namespace torchada {

std::string clang_text(CXString text);  // Takes the string over.

// Calls `visit` for each direct child.
void for_each_child(CXCursor parent, const std::function<void(CXCursor)>& visit);

bool is_record(CXCursorKind kind);
bool has_no_name(CXCursor declaration);

// Without "struct ", with typedef names kept: see model.h, Parameter::type.
std::string spell_type(CXType type);
// Of a function type; `declaration` (a function or a typedef) supplies the parameter names.
Prototype prototype_of(CXType function, CXCursor declaration);
// What a typedef stands for, one name after the other, until there is none left.
CXType strip_names(CXType type);
bool is_function_type(CXType type);
bool is_array_type(CXType type);

}  // namespace torchada
