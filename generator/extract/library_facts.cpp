#include "generator/extract/library_facts.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "generator/extract/stand_in_headers.h"

namespace torchada {
namespace {

LibraryFacts read_binary(const LibraryRequest& request, const std::string& path, bool strict,
                         std::vector<std::string>& notes) {
  const ElfFile file = read_elf_file(path);
  const auto complain = [&](const std::string& text) {
    if (strict) throw ExtractError(path + ": " + text);
    notes.push_back(path + ": " + text);
  };
  LibraryFacts out;
  out.name = request.name;
  out.soname = file.soname;
  out.needed = file.needed;
  out.runpath = file.runpath.value_or(file.rpath.value_or(""));
  std::set<std::string> nodes;
  for (const ElfExport& symbol : file.exports) {
    // Linker marks such as _end are neither functions nor data.
    if (symbol.type == ElfSymbolType::kOther) continue;
    if (!symbol.default_version) complain(symbol.name + " is not a default version");
    nodes.insert(symbol.version);
    out.exports[symbol.name] = {symbol.weak, symbol.address};
  }
  if (nodes.empty()) complain("exports nothing");
  if (nodes.size() > 1) complain("exports under several version nodes");
  if (!nodes.empty()) out.node = *nodes.rbegin();
  return out;
}

// For a library that is in no package.
LibraryFacts declared_library(const LibraryRequest& request, const HeaderFacts& facts) {
  LibraryFacts out;
  out.name = request.name;
  out.soname = request.declared_soname;
  for (const auto& [symbol, function] : facts.functions) {
    const bool own = std::find(request.headers.begin(), request.headers.end(), function.header) !=
                     request.headers.end();
    if (own) out.exports[symbol] = {};
  }
  return out;
}

class ReleaseReader {
 public:
  ReleaseReader(const SdkFolders& folders, const std::vector<std::string>& macros, bool strict)
      : folders_(folders), strict_(strict) {
    // First, so that they take precedence over headers of the machine.
    base_.include_folders = {stand_ins_.folder()};
    base_.include_folders.insert(base_.include_folders.end(), folders.include.begin(),
                                 folders.include.end());
    base_.macros = macros;
  }

  void read(const LibraryRequest& request) {
    int found = 0;
    for (const std::string& header : request.headers) {
      if (find_header(header, folders_.include).empty()) continue;
      parse(header, request);
      ++found;
    }
    if (found == 0) complain(request.headers.front() + ": not found in the given directories");
    for (const std::string& header : request.compiler_headers) {
      if (!find_header(header, folders_.include).empty()) parse_compiler_header(header);
    }
  }

  std::vector<std::string> notes;

  const HeaderFacts& facts() const { return facts_; }

 private:
  void complain(const std::string& text) {
    if (strict_) throw ExtractError(text);
    notes.push_back(text);
  }

  // Parses as C, and then as C++ for functions that exist only there (half precision).
  void parse(const std::string& header, const LibraryRequest& library) {
    HeaderRequest request = base_;
    request.header = header;
    request.defines = library.defines;
    const auto before = library.included_before.find(header);
    if (before != library.included_before.end()) request.includes_before = before->second;
    try {
      merge_facts(facts_, parse_header(request));
    } catch (const ExtractError& error) {
      complain(error.what());
    }
    request.cxx = true;
    request.tolerate_errors = !strict_;
    try {
      add_missing(parse_header(request));
    } catch (const ExtractError& error) {
      complain(error.what());
    }
  }

  // Functions that only code written by nvcc calls. Their headers use language extensions, which
  // clang understands well enough to read the declarations.
  void parse_compiler_header(const std::string& header) {
    HeaderRequest request = base_;
    request.header = header;
    request.includes_before = {"stddef.h", "cuda_runtime_api.h"};
    request.defines = {"__CUDACC__", "__NVCC__", "__CUDA_INTERNAL_COMPILATION__=1",
                       "__NV_MODULE_ID=torchada"};
    request.cxx = true;
    request.tolerate_errors = true;
    add_missing(parse_header(request));
  }

  // Takes facts from C++ only if C lacks them, because C's spelling is simpler. But if an enum has
  // more values in C++ (some data types exist only there), the C++ enum is the one that the library
  // knows.
  void add_missing(const HeaderFacts& more) {
    facts_.functions.insert(more.functions.begin(), more.functions.end());
    for (const auto& [name, type] : more.types) {
      const auto [known, added] = facts_.types.try_emplace(name, type);
      if (added || type.fact.kind != TypeKind::kEnum) continue;
      const TypeFact& fact = known->second.fact;
      if (fact.enumeration.values.size() < type.fact.enumeration.values.size()) {
        known->second = type;
      }
    }
    facts_.macros.insert(more.macros.begin(), more.macros.end());
  }

  const SdkFolders& folders_;
  const bool strict_;
  const StandInHeaders stand_ins_;
  HeaderRequest base_;
  HeaderFacts facts_;
};

// Keeps the types that users can meet: those reachable from prototypes, and every enum in the
// libraries' own headers.
class TypeSelection {
 public:
  TypeSelection(const HeaderFacts& facts, const std::vector<LibraryRequest>& requests)
      : facts_(facts), shared_(requests.front().name) {
    for (const LibraryRequest& request : requests) {
      for (const std::string& header : request.headers) owners_[header] = request.name;
      for (const std::string& header : request.included_headers) owners_[header] = request.name;
    }
  }

  void add_prototype(const Prototype& prototype) {
    add_spelled(prototype.returns);
    for (const Parameter& parameter : prototype.parameters) add_spelled(parameter.type);
  }

  // Strict: only enums of the listed headers. Otherwise also enums of other headers beside them,
  // because an unknown SDK may spread its types over headers in any way.
  void add_own_enums(bool strict) {
    std::map<std::vector<std::pair<std::string, std::int64_t>>, std::vector<std::string>> same;
    for (const auto& [name, type] : facts_.types) {
      if (type.fact.kind != TypeKind::kEnum) continue;
      const bool elsewhere = strict || type.header.find('/') != std::string::npos;
      if (elsewhere && owners_.count(type.header) == 0) continue;
      std::vector<std::pair<std::string, std::int64_t>> key;
      for (const EnumValue& value : type.fact.enumeration.values) {
        key.emplace_back(value.name, value.value);
      }
      same[key].push_back(name);
    }
    // "enum cudaError" and its typedef cudaError_t are one enum, for which one name is enough: the
    // name that a prototype uses, if any.
    for (const auto& [values, names] : same) {
      const bool chosen = std::any_of(names.begin(), names.end(),
                                      [this](const std::string& name) { return has(name); });
      if (!chosen) add_name(names.back());
    }
  }

  void add_structs(const LibraryRequest& request) {
    for (const std::string& pattern : request.structs) {
      const bool is_beginning = pattern.ends_with('*');
      const std::string begin = pattern.substr(0, pattern.size() - (is_beginning ? 1 : 0));
      for (const auto& [name, type] : facts_.types) {
        if (type.fact.kind != TypeKind::kStruct || owner(type.header) != request.name) continue;
        if (is_beginning ? name.starts_with(begin) : name == begin) add_name(name);
      }
    }
  }

  std::map<std::string, std::map<std::string, TypeFact>> take() { return std::move(selected_); }

 private:
  std::string owner(const std::string& header) const {
    const auto found = owners_.find(header);
    return found == owners_.end() ? shared_ : found->second;
  }

  bool has(const std::string& name) const {
    const auto found = facts_.types.find(name);
    if (found == facts_.types.end()) return false;
    const auto types = selected_.find(owner(found->second.header));
    return types != selected_.end() && types->second.count(name) != 0;
  }

  void add_spelled(const std::string& spelled) {
    for (const std::string& name : names_in_type(spelled)) add_name(name);
  }

  void add_name(const std::string& name) {
    const auto found = facts_.types.find(name);
    if (found == facts_.types.end()) return;  // A type of the C library.
    const TypeFact& fact = found->second.fact;
    if (!selected_[owner(found->second.header)].emplace(name, fact).second) return;
    // The struct behind a handle stays opaque; naming it is enough.
    if (fact.kind == TypeKind::kHandle) add_complete(fact.underlying);
    if (fact.kind == TypeKind::kCallback) add_prototype(fact.callback);
    for (const Field& field : fact.structure.fields) add_spelled(field.type);
  }

  void add_complete(const std::string& spelled) {
    for (const std::string& name : names_in_type(spelled)) {
      const auto found = facts_.types.find(name);
      if (found == facts_.types.end()) continue;
      const TypeFact& fact = found->second.fact;
      if (fact.kind != TypeKind::kStruct || fact.structure.size > 0) add_name(name);
    }
  }

  const HeaderFacts& facts_;
  const std::string shared_;
  std::map<std::string, std::string> owners_;
  std::map<std::string, std::map<std::string, TypeFact>> selected_;
};

}  // namespace

ReleaseFacts read_release(const std::string& name, const SdkFolders& folders,
                          const std::vector<LibraryRequest>& requests,
                          const std::vector<std::string>& macros, bool strict) {
  ReleaseFacts out;
  out.name = name;
  ReleaseReader reader(folders, macros, strict);
  for (const LibraryRequest& request : requests) {
    if (!request.declared_soname.empty()) {
      reader.read(request);
      out.libraries.push_back(declared_library(request, reader.facts()));
      continue;
    }
    const std::string path = find_library(request.library, folders.library);
    if (path.empty() && strict) {
      throw ExtractError(request.library + ".so: not found in the given directories");
    }
    if (path.empty()) {
      out.notes.push_back(request.library + ".so: not found in the given directories");
      continue;
    }
    out.libraries.push_back(read_binary(request, path, strict, out.notes));
    reader.read(request);
  }
  if (out.libraries.empty()) throw ExtractError("no library found in the given directories");
  out.notes.insert(out.notes.end(), reader.notes.begin(), reader.notes.end());
  const HeaderFacts& facts = reader.facts();
  TypeSelection types(facts, requests);
  // Other headers declare functions of the same names for device code.
  std::set<std::string> listed;
  for (const LibraryRequest& request : requests) {
    for (const auto& headers :
         {request.headers, request.included_headers, request.compiler_headers}) {
      listed.insert(headers.begin(), headers.end());
    }
  }
  for (LibraryFacts& library : out.libraries) {
    for (const auto& [symbol, entry] : library.exports) {
      const auto found = facts.functions.find(symbol);
      if (found == facts.functions.end()) continue;
      if (strict && listed.count(found->second.header) == 0) continue;
      library.declared.emplace(symbol, found->second);
      types.add_prototype(found->second.prototype);
    }
  }
  types.add_own_enums(strict);
  for (const LibraryRequest& request : requests) types.add_structs(request);
  out.types = types.take();
  out.macros = facts.macros;
  return out;
}

std::vector<std::string> names_in_type(const std::string& spelled) {
  static const std::set<std::string> kWords = {"void",   "bool",     "char",  "short",
                                               "int",    "long",     "float", "double",
                                               "signed", "unsigned", "const", "volatile"};
  std::vector<std::string> out;
  std::string word;
  for (const char c : spelled + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    const bool name = !word.empty() && !std::isdigit(static_cast<unsigned char>(word.front()));
    if (name && kWords.count(word) == 0) out.push_back(word);
    word.clear();
  }
  return out;
}

}  // namespace torchada
