#include "generator/extract/extract_musa.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

// mccl.h declares its 8 and 16 bit float types only for a known GPU that is new enough.
const std::vector<std::string> kDefines = {"MARCH_TYPE=310"};

// From {"musa_sdk": {"version": "5.1.0"}}; empty if no root has such a file.
std::string version_from_json(const std::vector<std::string>& roots) {
  for (const std::string& root : roots) {
    const fs::path file = fs::path(root) / "version.json";
    if (!fs::is_regular_file(file)) continue;
    const YamlNode json = load_yaml(file);  // JSON is YAML.
    if (json.is_map() && json.has("musa_sdk") && json.required("musa_sdk").is_map()) {
      return json.required("musa_sdk").text_or("version", "");
    }
  }
  return "";
}

int version_from_headers(const ReleaseFacts& release) {
  const auto macro = release.macros.find("MUSART_VERSION");
  // SDKs before 4.3 number their runtime differently: SDK 4.0.1 has runtime 1.5.4.
  if (macro == release.macros.end() || macro->second < 20000) {
    throw ExtractError(
        "no SDK version found in version.json or the headers; give it with --sdk-version");
  }
  return static_cast<int>(macro->second);
}

MusaType musa_type(const std::string& name, const TypeFact& fact, int version) {
  MusaType type;
  type.name = name;
  type.sdk = {version, version + 1};
  type.tier = Tier::kSdk;
  type.kind = fact.kind;
  type.complete = true;
  type.fact = fact;
  for (const EnumValue& value : fact.enumeration.values) {
    type.values.push_back({value.name, value.value, true, Tier::kSdk, {}, {}});
  }
  return type;
}

}  // namespace

int parse_sdk_version(const std::string& text) {
  int parts[3] = {0, 0, 0};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int index = 0; index < 3; ++index) {
    const auto [next, error] = std::from_chars(at, end, parts[index]);
    if (error != std::errc() || parts[index] < 0 || parts[index] > 99) break;
    if (next == end) return parts[0] * 10000 + parts[1] * 100 + parts[2];
    if (*next != '.') break;
    at = next + 1;
  }
  throw ExtractError("expected an SDK version, for example 5.1.0, found '" + text + "'");
}

std::string sdk_version_text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

MusaFacts read_musa_facts(const std::vector<std::string>& roots, const std::string& version_text,
                          const std::vector<BackendInfo>& backends) {
  MusaFacts out;
  std::vector<LibraryRequest> requests;
  for (const BackendInfo& backend : backends) {
    requests.push_back(
        {backend.name, backend.stem, backend.headers, backend.included_headers, {}, kDefines});
  }
  out.release = read_release("", find_sdk_folders(roots), requests, {"MUSART_VERSION"}, false);
  const std::string text = version_text.empty() ? version_from_json(roots) : version_text;
  out.version = text.empty() ? version_from_headers(out.release) : parse_sdk_version(text);
  out.release.name = sdk_version_text(out.version);
  return out;
}

std::vector<MusaLibrary> musa_tables_of(const MusaFacts& facts) {
  std::vector<MusaLibrary> out;
  const SdkRange range = {facts.version, facts.version + 1};
  for (const LibraryFacts& library : facts.release.libraries) {
    MusaLibrary table;
    table.name = library.name;
    for (const auto& [link_name, entry] : library.exports) {
      const auto declared = library.declared.find(link_name);
      // C++ internals: thousands of names that no program calls.
      if (declared == library.declared.end() && link_name.starts_with("_Z")) continue;
      MusaSymbol symbol;
      symbol.link_name = link_name;
      symbol.name = declared == library.declared.end() ? link_name : declared->second.name;
      symbol.sdk = range;
      symbol.tier = Tier::kSdk;
      symbol.sources = {library.soname.empty() ? library.name : library.soname};
      if (declared != library.declared.end()) {
        MusaPrototype prototype;
        prototype.sdk = range;
        prototype.tier = Tier::kSdk;
        prototype.prototype = declared->second.prototype;
        prototype.source = declared->second.header;
        symbol.prototypes.push_back(prototype);
      }
      // If overloads share a written name, the one with C linkage keeps it; others get their link
      // names.
      const bool taken = table.symbols.count(symbol.name) != 0;
      if (taken && symbol.link_name != symbol.name) symbol.name = symbol.link_name;
      table.symbols[symbol.name] = symbol;
    }
    const auto types = facts.release.types.find(library.name);
    if (types != facts.release.types.end()) {
      for (const auto& [name, fact] : types->second) {
        table.types[name].push_back(musa_type(name, fact, facts.version));
      }
    }
    out.push_back(std::move(table));
  }
  return out;
}

}  // namespace torchada
