#include "generator/extract/extract_entry_points.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "generator/extract/clang_spelling.h"
#include "generator/extract/parsed_header.h"
#include "generator/extract/stand_in_headers.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

constexpr char kTypePrefix[] = "PFN_";

// What precedes the name in a variable of the type that the macro PFN_NAME stands for.
constexpr char kProbe[] = "torchada_type_for_";

// The functions and request types of one name, either those per thread or the others. By the number
// that tells them apart.
struct Group {
  std::map<int, std::pair<std::string, CXType>> functions;
  std::map<int, std::pair<std::string, CXType>> types;
  std::string header;  // That declares the last one of them.
};

using Groups = std::map<std::pair<std::string, std::string>, Group>;  // By base and suffix.

class RequestTypes {
 public:
  RequestTypes(const HeaderRequest& request, const ParsedHeader& header) : request_(request) {
    for_each_child(header.root(), [this](CXCursor child) { collect(child); });
  }

  Groups groups;
  std::map<std::string, std::string> defaults;  // "PFN_cuX" -> "PFN_cuY_v12000"

 private:
  void collect(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    const std::string name = clang_text(clang_getCursorSpelling(cursor));
    if (kind == CXCursor_FunctionDecl) add_function(cursor, name);
    if (kind == CXCursor_TypedefDecl && name.starts_with(kTypePrefix)) add_type(cursor, name);
    if (kind == CXCursor_VarDecl && name.starts_with(kProbe)) add_default(cursor, name);
  }

  void add_function(CXCursor cursor, const std::string& name) {
    if (clang_Cursor_getStorageClass(cursor) == CX_SC_Static) return;
    if (declaring_header(cursor, request_.include_folders).empty()) return;
    const VersionedName parts = split_versions(name);
    group_of(cursor, parts).functions.try_emplace(parts.number, name, clang_getCursorType(cursor));
  }

  void add_type(CXCursor cursor, const std::string& name) {
    const VersionedName parts = split_versions(name.substr(sizeof kTypePrefix - 1));
    const CXType pointer = clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(cursor));
    group_of(cursor, parts).types.try_emplace(parts.number, name, clang_getPointeeType(pointer));
  }

  Group& group_of(CXCursor cursor, const VersionedName& name) {
    Group& group = groups[{name.base, name.per_thread}];
    group.header = declaring_header(cursor, request_.include_folders);
    return group;
  }

  void add_default(CXCursor cursor, const std::string& name) {
    // In 12.9 one of these macros stands for no type.
    if (clang_isInvalidDeclaration(cursor)) return;
    defaults[name.substr(sizeof kProbe - 1)] = spell_type(clang_getCursorType(cursor));
  }

  const HeaderRequest& request_;
};

std::string names_of(const std::map<int, std::pair<std::string, CXType>>& items) {
  std::string out;
  for (const auto& [number, item] : items) out += (out.empty() ? "" : ", ") + item.first;
  return out.empty() ? "none" : out;
}

void match_group(const std::string& base, bool per_thread, const Group& group, EntryPoints* out) {
  if (group.functions.size() != group.types.size()) {
    throw ExtractError(group.header + ": " + base + ": the functions are " +
                       names_of(group.functions) + ", but the types for requests are " +
                       names_of(group.types));
  }
  auto type = group.types.begin();
  for (const auto& [number, function] : group.functions) {
    const auto& [version, requested] = *type++;
    if (!clang_equalTypes(clang_getCanonicalType(function.second),
                          clang_getCanonicalType(requested.second))) {
      throw ExtractError(group.header + ": " + requested.first +
                         " is not a pointer to the type of " + function.first +
                         ", which comes at this place in the order of versions");
    }
    EntryPoint entry;
    entry.symbol = function.first;
    entry.version = version;
    entry.per_thread = per_thread;
    (*out)[base].push_back(entry);
  }
}

// A macro PFN_NAME may stand for a type of another name: a request for NAME then means that
// function.
void add_other_names(const std::map<std::string, std::string>& defaults, EntryPoints* out) {
  const EntryPoints own = *out;
  for (const auto& [name, type] : defaults) {
    const VersionedName meant = split_versions(type.substr(sizeof kTypePrefix - 1));
    if (meant.base == name) continue;
    for (const EntryPoint& entry : own.at(meant.base)) {
      if (!entry.per_thread && entry.version == meant.number) (*out)[name].push_back(entry);
    }
  }
}

std::tuple<bool, int> order(const EntryPoint& entry) { return {entry.per_thread, entry.version}; }

void sort_entries(std::vector<EntryPoint>* entries) {
  std::sort(entries->begin(), entries->end(),
            [](const EntryPoint& a, const EntryPoint& b) { return order(a) < order(b); });
}

// The version from which a request for that name means that function; 0 if it is not told.
int version_of(const EntryPoints& names, const std::string& name, const std::string& symbol) {
  const auto found = names.find(name);
  if (found == names.end()) return 0;
  for (const EntryPoint& entry : found->second) {
    if (entry.symbol == symbol) return entry.version;
  }
  return 0;
}

void add_entry(const std::string& release, const std::string& name, const EntryPoint& entry,
               std::vector<EntryPoint>* entries) {
  for (EntryPoint& known : *entries) {
    if (order(known) == order(entry) && known.symbol == entry.symbol) {
      known.releases.push_back(release);
      return;
    }
    if (order(known) == order(entry) || known.symbol == entry.symbol) {
      throw ExtractError("release " + release + ": " + name + " " + std::to_string(entry.version) +
                         " means " + entry.symbol + ", but in " + known.releases.front() + " " +
                         std::to_string(known.version) + " means " + known.symbol);
    }
  }
  entries->push_back(entry);
  entries->back().releases = {release};
}

std::string text_of(const EntryPoint& entry) {
  return entry.symbol + (entry.per_thread ? " per thread from " : " from ") +
         std::to_string(entry.version);
}

// What one release says of a name, for comparison.
std::vector<std::string> texts_of(const EntryPoints& names, const std::string& name,
                                  const std::string& release) {
  std::vector<std::string> out;
  const auto found = names.find(name);
  if (found == names.end()) return out;
  for (const EntryPoint& entry : found->second) {
    const auto& releases = entry.releases;
    if (std::find(releases.begin(), releases.end(), release) != releases.end()) {
      out.push_back(text_of(entry));
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out.empty() ? "nothing" : out;
}

}  // namespace

EntryPoints read_release_entry_points(const SdkFolders& folders,
                                      const std::vector<std::string>& headers,
                                      const std::vector<std::string>& defines) {
  const StandInHeaders stand_ins;
  HeaderRequest request;
  request.header = headers.back();
  request.includes_before.assign(headers.begin(), headers.end() - 1);
  request.include_folders = {stand_ins.folder()};
  request.include_folders.insert(request.include_folders.end(), folders.include.begin(),
                                 folders.include.end());
  request.defines = defines;
  EntryPoints out;
  const ParsedHeader header(request);
  for (const auto& [name, group] : RequestTypes(request, header).groups) {
    match_group(name.first, !name.second.empty(), group, &out);
    const std::string macro = kTypePrefix + name.first;
    request.text_after +=
        "#ifdef " + macro + "\nextern " + macro + " " + kProbe + name.first + ";\n#endif\n";
  }
  request.tolerate_errors = true;
  const ParsedHeader probed(request);
  add_other_names(RequestTypes(request, probed).defaults, &out);
  for (auto& [name, entries] : out) sort_entries(&entries);
  return out;
}

EntryPoints join_entry_points(const std::vector<std::pair<std::string, EntryPoints>>& releases,
                              const EntryPoints& known) {
  EntryPoints out;
  for (const auto& [release, names] : releases) {
    for (const auto& [name, entries] : names) {
      for (EntryPoint entry : entries) {
        if (entry.version == 0) entry.version = version_of(known, name, entry.symbol);
        for (const auto& other : releases) {
          if (entry.version == 0) entry.version = version_of(other.second, name, entry.symbol);
        }
        if (entry.version == 0) {
          throw ExtractError("release " + release + ": " + kTypePrefix + name +
                             " has no version, and no other release tells it");
        }
        add_entry(release, name, entry, &out[name]);
      }
    }
  }
  for (auto& [name, entries] : out) sort_entries(&entries);
  return out;
}

std::string entry_points_text(const std::string& library, const EntryPoints& names) {
  std::ostringstream out;
  out << "# Written by torchada-gen extract from the releases of releases.yaml. Do not edit.\n"
         "# Which function a request for a name means, from a CUDA version on.\n"
      << "library: " << yaml_scalar(library) << "\nentry_points:\n";
  for (const auto& [name, entries] : names) {
    out << "  " << yaml_scalar(name) << ":\n";
    for (const EntryPoint& entry : entries) {
      out << "  - {version: " << entry.version << ", symbol: " << yaml_scalar(entry.symbol)
          << (entry.per_thread ? ", per_thread: true" : "") << ", releases: [";
      for (std::size_t i = 0; i < entry.releases.size(); ++i) {
        out << (i > 0 ? ", \"" : "\"") << entry.releases[i] << "\"";
      }
      out << "]}\n";
    }
  }
  return out.str();
}

std::vector<std::string> compare_entry_points(const EntryPoints& table,
                                              const EntryPoints& extracted,
                                              const std::vector<std::string>& releases) {
  std::map<std::string, bool> names;
  for (const auto& [name, entries] : table) names[name] = true;
  for (const auto& [name, entries] : extracted) names[name] = true;
  std::vector<std::string> out;
  for (const std::string& release : releases) {
    for (const auto& [name, present] : names) {
      const std::vector<std::string> before = texts_of(table, name, release);
      const std::vector<std::string> now = texts_of(extracted, name, release);
      if (before == now) continue;
      out.push_back("entry points: " + name + ": " + release + ": table " + joined(before) +
                    ", extracted " + joined(now));
    }
  }
  return out;
}

}  // namespace torchada
