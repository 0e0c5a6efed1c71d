#include "generator/extract/clang_headers.h"

#include <clang-c/Index.h>

#include <algorithm>

#include "generator/extract/clang_spelling.h"
#include "generator/extract/clang_types.h"
#include "generator/extract/parsed_header.h"

namespace torchada {
namespace {

class Collector {
 public:
  explicit Collector(const HeaderRequest& request) : request_(request) {}

  void visit(CXCursor parent) {
    for_each_child(parent, [this](CXCursor child) { collect(child); });
  }

  HeaderFacts facts;

 private:
  void collect(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
      case CXCursor_LinkageSpec:
      case CXCursor_UnexposedDecl:  // extern "C" in older libclang.
        visit(cursor);
        break;
      case CXCursor_FunctionDecl:
        add_function(cursor);
        break;
      case CXCursor_TypedefDecl:
      case CXCursor_TypeAliasDecl:
        add_type(cursor);
        break;
      case CXCursor_EnumDecl:
        add_macros(cursor);
        add_type(cursor);
        break;
      case CXCursor_StructDecl:
      case CXCursor_UnionDecl:
        add_type(cursor);
        // In C, a type named inside a struct is as visible as any other.
        if (!request_.cxx) visit(cursor);
        break;
      default:
        break;
    }
  }

  void add_function(CXCursor cursor) {
    const std::string header = declaring_header(cursor, request_.include_folders);
    const std::string name = clang_text(clang_getCursorSpelling(cursor));
    if (header.empty() || clang_isInvalidDeclaration(cursor)) return;
    if (clang_Cursor_getStorageClass(cursor) == CX_SC_Static) return;
    if (clang_Cursor_isFunctionInlined(cursor)) return;
    facts.functions.try_emplace(
        clang_text(clang_Cursor_getMangling(cursor)),
        HeaderFunction{prototype_of(clang_getCursorType(cursor), cursor), header, name});
  }

  void add_type(CXCursor cursor) {
    const std::string header = declaring_header(cursor, request_.include_folders);
    if (header.empty() || clang_isInvalidDeclaration(cursor) || has_no_name(cursor)) return;
    const std::string name = clang_text(clang_getCursorSpelling(cursor));
    if (request_.cxx) {
      // Specialisations of a template share a name. No function with C linkage takes them, so one
      // is enough.
      facts.types.try_emplace(name, HeaderType{type_fact_of(cursor), header});
      return;
    }
    HeaderFacts one;
    one.types[name] = {type_fact_of(cursor), header};
    merge_facts(facts, one);
  }

  void add_macros(CXCursor cursor) {
    for_each_child(cursor, [this](CXCursor child) {
      const std::string name = clang_text(clang_getCursorSpelling(child));
      if (name.starts_with(kMacroPrefix)) {
        facts.macros[name.substr(std::char_traits<char>::length(kMacroPrefix))] =
            clang_getEnumConstantDeclValue(child);
      }
    });
  }

  const HeaderRequest& request_;
};

bool is_incomplete(const TypeFact& fact) {
  return fact.kind == TypeKind::kStruct && fact.structure.size == 0 &&
         fact.structure.fields.empty();
}

}  // namespace

HeaderFacts parse_header(const HeaderRequest& request) {
  const ParsedHeader unit(request);
  Collector collector(request);
  collector.visit(unit.root());
  return std::move(collector.facts);
}

void merge_facts(HeaderFacts& facts, const HeaderFacts& more) {
  for (const auto& [name, function] : more.functions) {
    const auto [known, added] = facts.functions.try_emplace(name, function);
    if (!added && known->second.prototype != function.prototype) {
      throw ExtractError("function " + name + ": " + known->second.header + " and " +
                         function.header + " declare it differently");
    }
  }
  for (const auto& [name, type] : more.types) {
    const auto [known, added] = facts.types.try_emplace(name, type);
    if (added || same_fact(known->second.fact, type.fact)) continue;
    if (is_incomplete(type.fact)) continue;
    if (!is_incomplete(known->second.fact)) {
      throw ExtractError("type " + name + ": " + known->second.header + " and " + type.header +
                         " define it differently");
    }
    known->second = type;
  }
  facts.macros.insert(more.macros.begin(), more.macros.end());
}

bool same_fact(const TypeFact& left, const TypeFact& right) {
  if (left.kind != right.kind || left.underlying != right.underlying) return false;
  const auto same_value = [](const EnumValue& a, const EnumValue& b) {
    return a.name == b.name && a.value == b.value;
  };
  const auto same_field = [](const Field& a, const Field& b) {
    return a.name == b.name && a.type == b.type && a.offset == b.offset;
  };
  const StructLayout& a = left.structure;
  const StructLayout& b = right.structure;
  return std::equal(left.enumeration.values.begin(), left.enumeration.values.end(),
                    right.enumeration.values.begin(), right.enumeration.values.end(), same_value) &&
         a.size == b.size && a.align == b.align && a.is_union == b.is_union &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    same_field) &&
         left.callback == right.callback;
}

}  // namespace torchada
