#include "generator/extract/clang_headers.h"

#include <clang-c/Index.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "generator/extract/clang_spelling.h"
#include "generator/extract/clang_types.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMacroProbe = "torchada_value_of_";

// "cuda_runtime_api.h" for ".../include/cuda_runtime_api.h"; empty for a file outside the folders.
std::string relative_to(const std::vector<std::string>& folders, const std::string& file) {
  const std::string path = fs::path(file).lexically_normal();
  std::string best;
  for (const std::string& folder : folders) {
    const std::string prefix = fs::path(folder).lexically_normal() / "";
    if (!path.starts_with(prefix)) continue;
    const std::string rest = path.substr(prefix.size());
    if (best.empty() || rest.size() < best.size()) best = rest;
  }
  return best;
}

std::string file_of(CXCursor cursor) {
  CXFile file = nullptr;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, nullptr, nullptr, nullptr);
  return file == nullptr ? "" : clang_text(clang_getFileName(file));
}

// One parsed file with everything it includes.
class Unit {
 public:
  explicit Unit(const HeaderRequest& request) : request_(request) {
    const std::string main = main_text();
    const std::string name = request.cxx ? "/torchada/extract.cpp" : "/torchada/extract.c";
    CXUnsavedFile file{name.c_str(), main.c_str(), main.size()};
    std::vector<std::string> options = command_line();
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    index_.reset(clang_createIndex(0, 0));
    CXTranslationUnit unit = nullptr;
    const CXErrorCode code = clang_parseTranslationUnit2(
        index_.get(), name.c_str(), arguments.data(), static_cast<int>(arguments.size()), &file, 1,
        CXTranslationUnit_SkipFunctionBodies, &unit);
    unit_.reset(unit);
    if (code != CXError_Success)
      throw ExtractError(request.header + ": libclang cannot parse this file");
    refuse_errors();
    refuse_foreign_files();
  }

  CXCursor root() const { return clang_getTranslationUnitCursor(unit_.get()); }

 private:
  std::string main_text() const {
    std::string text;
    for (const std::string& header : request_.includes_before) {
      text += "#include <" + header + ">\n";
    }
    text += "#include <" + request_.header + ">\n";
    for (const std::string& macro : request_.macros) {
      text +=
          "#ifdef " + macro + "\nenum { " + kMacroProbe + macro + " = " + macro + " };\n#endif\n";
    }
    return text;
  }

  std::vector<std::string> command_line() const {
    std::vector<std::string> options = {"-x",
                                        request_.cxx ? "c++" : "c",
                                        request_.cxx ? "-std=c++17" : "-std=c11",
                                        "-w",
                                        "-ferror-limit=0",
                                        "-resource-dir",
                                        TORCHADA_CLANG_RESOURCE_DIR};
    for (const std::string& folder : request_.include_folders) options.push_back("-I" + folder);
    for (const std::string& define : request_.defines) options.push_back("-D" + define);
    return options;
  }

  void refuse_errors() const {
    const unsigned count = clang_getNumDiagnostics(unit_.get());
    for (unsigned number = 0; number < count; ++number) {
      CXDiagnostic diagnostic = clang_getDiagnostic(unit_.get(), number);
      const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
      const std::string text =
          clang_text(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions()));
      clang_disposeDiagnostic(diagnostic);
      // A missing include hides everything after it, so it is never tolerated.
      const bool fatal = severity == CXDiagnostic_Fatal;
      if (fatal || (severity == CXDiagnostic_Error && !request_.tolerate_errors)) {
        throw ExtractError(request_.header + (request_.cxx ? " (as C++): " : ": ") + text);
      }
    }
  }

  // A header that is missing in the given folders may exist elsewhere on this machine, from another
  // release, and facts of two releases must not mix.
  void refuse_foreign_files() const {
    std::vector<std::string> allowed;
    for (const std::string& folder : request_.include_folders) {
      allowed.push_back(fs::weakly_canonical(folder));
    }
    allowed.insert(allowed.end(), {fs::weakly_canonical(TORCHADA_CLANG_RESOURCE_DIR), "/torchada",
                                   "/usr/include", "/usr/lib"});
    struct Search {
      const std::vector<std::string>& allowed;
      std::string foreign;
    } search{allowed, ""};
    clang_getInclusions(
        unit_.get(),
        [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
          auto* found = static_cast<Search*>(data);
          const std::string path = fs::weakly_canonical(clang_text(clang_getFileName(file)));
          if (relative_to(found->allowed, path).empty()) found->foreign = path;
        },
        &search);
    if (!search.foreign.empty()) {
      throw ExtractError(request_.header + ": includes " + search.foreign +
                         ", which is outside the given directories");
    }
  }

  struct DisposeIndex {
    void operator()(void* index) const { clang_disposeIndex(index); }
  };
  struct DisposeUnit {
    void operator()(CXTranslationUnit unit) const { clang_disposeTranslationUnit(unit); }
  };

  const HeaderRequest& request_;
  std::unique_ptr<void, DisposeIndex> index_;
  std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, DisposeUnit> unit_;
};

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
    const std::string header = relative_to(request_.include_folders, file_of(cursor));
    const std::string name = clang_text(clang_getCursorSpelling(cursor));
    if (header.empty() || clang_isInvalidDeclaration(cursor)) return;
    if (clang_Cursor_getStorageClass(cursor) == CX_SC_Static) return;
    if (clang_Cursor_isFunctionInlined(cursor)) return;
    facts.functions.try_emplace(
        clang_text(clang_Cursor_getMangling(cursor)),
        HeaderFunction{prototype_of(clang_getCursorType(cursor), cursor), header, name});
  }

  void add_type(CXCursor cursor) {
    const std::string header = relative_to(request_.include_folders, file_of(cursor));
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
      if (name.starts_with(kMacroProbe)) {
        facts.macros[name.substr(std::char_traits<char>::length(kMacroProbe))] =
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
  if (find_header(request.header, request.include_folders).empty()) {
    throw ExtractError(request.header + ": not found in the given directories");
  }
  const Unit unit(request);
  Collector collector(request);
  collector.visit(unit.root());
  return std::move(collector.facts);
}

std::string find_header(const std::string& header, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const fs::path path = fs::path(folder) / header;
    if (fs::is_regular_file(path)) return path;
  }
  return "";
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
