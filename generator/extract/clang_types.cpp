#include "generator/extract/clang_types.h"

#include "generator/extract/clang_spelling.h"

namespace torchada {
namespace {

bool is_unsigned(CXType type) {
  switch (clang_getCanonicalType(type).kind) {
    case CXType_Bool:
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
      return true;
    default:
      return false;
  }
}

EnumLayout enum_layout(CXCursor declaration) {
  EnumLayout out;
  // libclang's signed accessor sign-extends 0x80000000 of an unsigned enum.
  const bool no_sign = is_unsigned(clang_getEnumDeclIntegerType(declaration));
  for_each_child(declaration, [&](CXCursor child) {
    if (clang_getCursorKind(child) != CXCursor_EnumConstantDecl) return;
    const std::int64_t value =
        no_sign ? static_cast<std::int64_t>(clang_getEnumConstantDeclUnsignedValue(child))
                : clang_getEnumConstantDeclValue(child);
    out.values.push_back({clang_text(clang_getCursorSpelling(child)), value});
  });
  return out;
}

void add_fields(CXType record, const std::string& prefix, long long base, StructLayout& out);

// A member whose type has no name cannot be spelled. Its own members are listed instead, prefixed
// with the named members that lead to them.
void add_unnamed(CXType type, const std::string& path, long long base, StructLayout& out) {
  const CXType bare = strip_names(type);
  if (is_array_type(bare)) {
    const CXType element = clang_getArrayElementType(bare);
    const long long size = clang_Type_getSizeOf(element) * 8;
    for (long long index = 0; index < clang_getArraySize(bare); ++index) {
      add_unnamed(element, path + "[" + std::to_string(index) + "]", base + index * size, out);
    }
    return;
  }
  add_fields(bare, path.empty() ? "" : path + ".", base, out);
}

bool leads_to_unnamed(CXType type) {
  // A typedef gives the type a name.
  while (type.kind == CXType_Elaborated || is_array_type(type)) {
    type = type.kind == CXType_Elaborated ? clang_Type_getNamedType(type)
                                          : clang_getArrayElementType(type);
  }
  if (type.kind != CXType_Record && type.kind != CXType_Enum) return false;
  return type.kind == CXType_Record && has_no_name(clang_getTypeDeclaration(type));
}

void add_fields(CXType record, const std::string& prefix, long long base, StructLayout& out) {
  struct Visit {
    const std::string& prefix;
    long long base;
    StructLayout& out;
  } visit{prefix, base, out};
  clang_Type_visitFields(
      record,
      [](CXCursor field, CXClientData data) {
        auto& [path, start, layout] = *static_cast<Visit*>(data);
        const std::string own_name = name_of(field);
        const std::string name = path + own_name;
        const CXType type = clang_getCursorType(field);
        const long long bits = start + clang_Cursor_getOffsetOfField(field);
        if (clang_Cursor_isBitField(field)) {
          const int width = clang_getFieldDeclBitWidth(field);
          layout.fields.push_back({name, spell_type(type) + ":" + std::to_string(width), bits / 8});
        } else if (leads_to_unnamed(type)) {
          if (own_name.empty()) {
            add_fields(strip_names(type), path, bits, layout);
          } else {
            add_unnamed(type, name, bits, layout);
          }
        } else {
          layout.fields.push_back({name, spell_type(type), bits / 8});
        }
        return CXVisit_Continue;
      },
      &visit);
}

StructLayout struct_layout(CXType record) {
  StructLayout out;
  out.is_union = clang_getCursorKind(clang_getTypeDeclaration(record)) == CXCursor_UnionDecl;
  const long long size = clang_Type_getSizeOf(record);
  if (size < 0) return out;  // Incomplete.
  out.size = size;
  out.align = clang_Type_getAlignOf(record);
  add_fields(record, "", 0, out);
  return out;
}

TypeFact fact_of_type(CXType type, CXCursor declaration) {
  TypeFact fact;
  const CXType bare = strip_names(type);
  if (bare.kind == CXType_Enum) {
    fact.kind = TypeKind::kEnum;
    CXCursor definition = clang_getTypeDeclaration(bare);
    if (const CXCursor full = clang_getCursorDefinition(definition); !clang_Cursor_isNull(full)) {
      definition = full;
    }
    fact.enumeration = enum_layout(definition);
  } else if (bare.kind == CXType_Record) {
    fact.kind = TypeKind::kStruct;
    fact.structure = struct_layout(bare);
  } else if (is_function_type(bare)) {
    fact.kind = TypeKind::kCallback;
    fact.callback = prototype_of(bare, declaration);
  } else if (bare.kind == CXType_Pointer && is_function_type(clang_getPointeeType(bare))) {
    fact.kind = TypeKind::kCallback;
    fact.callback = prototype_of(clang_getPointeeType(bare), declaration);
  } else if (bare.kind == CXType_Pointer) {
    fact.kind = TypeKind::kHandle;
    fact.underlying = spell_type(bare);
  } else {
    fact.kind = TypeKind::kScalar;
    fact.underlying = spell_type(clang_getCanonicalType(bare));
  }
  return fact;
}

}  // namespace

TypeFact type_fact_of(CXCursor declaration) {
  if (clang_getCursorKind(declaration) == CXCursor_TypedefDecl ||
      clang_getCursorKind(declaration) == CXCursor_TypeAliasDecl) {
    return fact_of_type(clang_getTypedefDeclUnderlyingType(declaration), declaration);
  }
  return fact_of_type(clang_getCursorType(declaration), declaration);
}

}  // namespace torchada
