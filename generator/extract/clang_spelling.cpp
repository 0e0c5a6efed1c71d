#include "generator/extract/clang_spelling.h"

namespace torchada {
namespace {

std::string qualifiers(CXType type) {
  std::string out;
  if (clang_isConstQualifiedType(type)) out += "const ";
  if (clang_isVolatileQualifiedType(type)) out += "volatile ";
  return out;
}

// libclang also calls the old C form "f()" variadic.
bool is_variadic(CXType function) {
  return clang_isFunctionTypeVariadic(function) &&
         clang_getCanonicalType(function).kind != CXType_FunctionNoProto;
}

// "(void *, int)", or "(void)" without parameters, as C writes it.
std::string parameter_list(CXType function) {
  std::string out = "(";
  const int count = clang_getNumArgTypes(function);
  for (int index = 0; index < count; ++index) {
    if (index > 0) out += ", ";
    out += spell_type(clang_getArgType(function, static_cast<unsigned>(index)));
  }
  if (is_variadic(function)) out += count > 0 ? ", ..." : "...";
  if (out == "(") out += "void";
  return out + ")";
}

std::string with_declarator(const std::string& base, const std::string& declarator) {
  if (declarator.empty()) return base;
  return base + (declarator.front() == '[' ? "" : " ") + declarator;
}

// In C a type is written around its declarator ("void (*)(int)"): `inner` is the part already
// written.
std::string declare(CXType type, const std::string& inner) {
  if (type.kind == CXType_Pointer) {
    std::string part = "*" + qualifiers(type);
    if (part.size() > 1 && inner.empty()) part.pop_back();
    part += inner;
    const CXType pointee = clang_getPointeeType(type);
    const bool named = pointee.kind == CXType_Typedef || pointee.kind == CXType_Elaborated;
    if (!named && (is_function_type(pointee) || is_array_type(pointee))) part = "(" + part + ")";
    return declare(pointee, part);
  }
  if (type.kind == CXType_Typedef) {
    const CXCursor declaration = clang_getTypeDeclaration(type);
    return with_declarator(qualifiers(type) + clang_text(clang_getCursorSpelling(declaration)),
                           inner);
  }
  if (type.kind == CXType_Elaborated) {
    // The qualifiers sit on the outer type: "const struct X".
    const std::string outer = qualifiers(type);
    const CXType named = clang_Type_getNamedType(type);
    return declare(named, inner).insert(0, qualifiers(named) == outer ? "" : outer);
  }
  if (type.kind == CXType_Attributed) return declare(clang_Type_getModifiedType(type), inner);
  if (type.kind == CXType_Record || type.kind == CXType_Enum) {
    const CXCursor declaration = clang_getTypeDeclaration(type);
    return with_declarator(qualifiers(type) + name_of(declaration), inner);
  }
  if (is_array_type(type)) {
    const long long count = clang_getArraySize(type);
    const std::string size = count < 0 ? "[]" : "[" + std::to_string(count) + "]";
    return declare(clang_getArrayElementType(type), inner + size);
  }
  if (is_function_type(type)) {
    return declare(clang_getResultType(type), inner + parameter_list(type));
  }
  if (type.kind == CXType_Unexposed) return declare(clang_getCanonicalType(type), inner);
  if (type.kind == CXType_Bool) return with_declarator(qualifiers(type) + "bool", inner);
  return with_declarator(clang_text(clang_getTypeSpelling(type)), inner);
}

// For parameters: an array or a function becomes a pointer, and const on the value itself is not
// part of the type that a caller sees.
std::string spell_parameter(CXType type) {
  if (is_array_type(type)) return declare(clang_getArrayElementType(type), "*");
  const bool named = type.kind == CXType_Typedef || type.kind == CXType_Elaborated;
  if (is_function_type(type)) return declare(type, named ? "*" : "(*)");
  std::string text = declare(type, "");
  if (clang_isConstQualifiedType(type)) {
    if (text.size() > 5 && text.ends_with("const")) return text.substr(0, text.size() - 5);
    if (type.kind != CXType_Pointer && text.starts_with("const ")) return text.substr(6);
  }
  return text;
}

}  // namespace

std::string clang_text(CXString text) {
  const char* bytes = clang_getCString(text);
  std::string out = bytes == nullptr ? "" : bytes;
  clang_disposeString(text);
  return out;
}

void for_each_child(CXCursor parent, const std::function<void(CXCursor)>& visit) {
  clang_visitChildren(
      parent,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<const std::function<void(CXCursor)>*>(data))(child);
        return CXChildVisit_Continue;
      },
      const_cast<std::function<void(CXCursor)>*>(&visit));
}

bool is_record(CXCursorKind kind) {
  return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_ClassDecl;
}

std::string name_of(CXCursor declaration) {
  const std::string text = clang_text(clang_getCursorSpelling(declaration));
  // libclang 14 spells what has no name as nothing, 19 as "union outer::(anonymous at FILE:1:2)".
  return text.find('(') == std::string::npos ? text : "";
}

bool has_no_name(CXCursor declaration) {
  return clang_Cursor_isAnonymous(declaration) != 0 || name_of(declaration).empty();
}

std::string spell_type(CXType type) { return declare(type, ""); }

Prototype prototype_of(CXType function, CXCursor declaration) {
  std::vector<std::string> names;
  for_each_child(declaration, [&](CXCursor child) {
    if (clang_getCursorKind(child) == CXCursor_ParmDecl) {
      names.push_back(clang_text(clang_getCursorSpelling(child)));
    }
  });
  Prototype out;
  out.returns = spell_type(clang_getResultType(function));
  const int count = clang_getNumArgTypes(function);
  const bool named = names.size() == static_cast<std::size_t>(count);
  for (int index = 0; index < count; ++index) {
    const CXType type = clang_getArgType(function, static_cast<unsigned>(index));
    out.parameters.push_back(
        {spell_parameter(type), named ? names[static_cast<std::size_t>(index)] : ""});
  }
  if (is_variadic(function)) out.parameters.push_back({"...", ""});
  return out;
}

CXType strip_names(CXType type) {
  while (true) {
    if (type.kind == CXType_Typedef) {
      type = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type));
    } else if (type.kind == CXType_Elaborated) {
      type = clang_Type_getNamedType(type);
    } else if (type.kind == CXType_Attributed) {
      type = clang_Type_getModifiedType(type);
    } else {
      return type;
    }
  }
}

bool is_function_type(CXType type) { return clang_getNumArgTypes(type) >= 0; }

bool is_array_type(CXType type) {
  return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
         type.kind == CXType_VariableArray;
}

}  // namespace torchada
