#include "generator/tables/musa_tables.h"

#include <functional>
#include <sstream>

#include "generator/tables/table_parts.h"

namespace torchada {
namespace {

int read_release(const YamlNode& node, const std::string& text) {
  int part[3] = {0, 0, 0};
  std::istringstream in(text);
  std::string word;
  int count = 0;
  while (std::getline(in, word, '.')) {
    if (count == 3 || word.empty() || word.size() > 3 ||
        word.find_first_not_of("0123456789") != std::string::npos) {
      node.fail("expected an SDK version, for example 5.1.0, found '" + text + "'");
    }
    part[count++] = std::stoi(word);
  }
  if (count == 0) node.fail("expected an SDK version, for example 5.1.0, found '" + text + "'");
  return part[0] * 10000 + part[1] * 100 + part[2];
}

// ">=A <B", with numbers that `read_number` reads.
SdkRange read_range(const YamlNode& node,
                    const std::function<int(const YamlNode&, const std::string&)>& read_number) {
  SdkRange out;

  std::istringstream in(node.text());
  std::string word;
  while (in >> word) {
    if (word == "any") continue;
    if (word.starts_with(">=")) {
      out.from = read_number(node, word.substr(2));
    } else if (word.front() == '<') {
      out.to = read_number(node, word.substr(1));
    } else if (word.front() == '=') {
      out.from = read_number(node, word.substr(1));
      out.to = out.from + 1;
    } else {
      node.fail("expected an SDK range, for example >=4.3 <5.0, found '" + node.text() + "'");
    }
  }
  if (out.from >= out.to) node.fail("empty SDK range '" + node.text() + "'");
  return out;
}

// "cudaMalloc@12"
void read_like(const YamlNode& node, MusaPrototype* prototype) {
  const std::string text = node.text();
  const std::size_t at = text.find('@');
  if (at == std::string::npos || at == 0) node.fail("expected SYMBOL@ABI, found '" + text + "'");
  prototype->like_symbol = text.substr(0, at);
  const std::string abi = text.substr(at + 1);
  if (abi != "11" && abi != "12" && abi != "13")
    node.fail("expected ABI 11, 12 or 13, found '" + abi + "'");
  prototype->like_abi = std::stoi(abi);
}

// Numbers of documents in an index without names: others cannot open them, and some quote what
// seems to be the vendor's internal source.
constexpr char kIndexNumber[] = "idx:";

// A source or a note.
std::string read_cited(const YamlNode& node) {
  const std::string text = node.text();
  if (text.find(kIndexNumber) != std::string::npos) {
    node.fail("'" + text +
              "': a number of an index is no source; name the public file, or delete " +
              "the fact");
  }
  return text;
}

std::string cited_or_empty(const YamlNode& record, const std::string& key) {
  return record.has(key) ? read_cited(record.required(key)) : std::string();
}

std::vector<std::string> read_sources(const YamlNode& record) {
  std::vector<std::string> out;
  if (!record.has("sources")) return out;
  for (const YamlNode& item : record.required("sources").items()) out.push_back(read_cited(item));
  return out;
}

MusaPrototype read_musa_prototype(const YamlNode& node) {
  node.only({"like", "sdk", "tier", "source", "returns", "parameters"});
  MusaPrototype out;
  out.place = node.place();
  out.sdk = sdk_of(node);
  out.tier = read_tier(node.required("tier"));
  out.source = cited_or_empty(node, "source");
  if (node.has("like")) {
    if (node.has("returns"))
      node.fail("expected either 'like' or a written prototype ('returns'), not both");
    read_like(node.required("like"), &out);
  } else {
    out.prototype = read_prototype(node);
  }
  return out;
}

MusaSymbol read_musa_symbol(const YamlNode& key, const YamlNode& node) {
  node.only({"tier", "sources", "sdk", "link_name", "note", "also", "prototypes"});
  MusaSymbol out;
  out.name = key.text();
  out.place = key.place();
  out.link_name = node.text_or("link_name", out.name);
  out.sdk = sdk_of(node);
  out.tier = read_tier(node.required("tier"));
  out.sources = read_sources(node);
  out.note = cited_or_empty(node, "note");
  out.also = node.texts_or_none("also");
  if (node.has("prototypes")) {
    for (const YamlNode& item : node.required("prototypes").items()) {
      out.prototypes.push_back(read_musa_prototype(item));
    }
  }
  // Tiers that count as support must name a source that others can open.
  if (out.tier <= Tier::kDoc && out.sources.empty()) {
    key.fail("'" + out.name + "' has tier " + tier_name(out.tier) +
             " but no source; add 'sources'");
  }
  return out;
}

std::vector<MusaEnumValue> read_values(const YamlNode& node, Tier tier) {
  std::vector<MusaEnumValue> out;
  for (const auto& [key, value] : node.entries()) {
    MusaEnumValue item;
    item.name = key.text();
    item.tier = tier;
    if (value.is_map()) {
      value.only({"value", "tier", "source", "note", "assumed"});
      item.tier = read_tier(value.required("tier"));
      item.source = cited_or_empty(value, "source");
      item.assumed_range = value.text_or("assumed", "");
      if (value.required("value").text() != "unknown") {
        item.value = value.required("value").integer();
        item.known = true;
      }
    } else if (value.text() != "unknown") {
      item.value = value.integer();
      item.known = true;
    }
    out.push_back(item);
  }
  return out;
}

MusaType read_musa_type(const std::string& name, const YamlNode& node) {
  node.only({"kind", "tier", "sources", "sdk", "assumed", "note", "complete", "values",
             "underlying", "size", "align", "fields", "returns", "parameters"});
  MusaType out;
  out.name = name;
  out.place = node.place();
  out.sdk = sdk_of(node);
  out.tier = read_tier(node.required("tier"));
  out.sources = read_sources(node);
  out.note = cited_or_empty(node, "note");
  if (node.has("complete")) out.complete = node.required("complete").boolean();
  out.fact.kind = out.kind = read_type_kind(node.required("kind"), &out.fact.structure.is_union);
  if (node.has("values")) out.values = read_values(node.required("values"), out.tier);
  out.assumed_range = node.text_or("assumed", "");
  out.fact.underlying = node.text_or("underlying", "");
  if (node.has("size")) out.fact.structure.size = node.required("size").integer();
  if (node.has("align")) out.fact.structure.align = node.required("align").integer();
  if (node.has("fields")) out.fact.structure.fields = read_fields(node.required("fields"));
  if (node.has("returns")) out.fact.callback = read_prototype(node);
  return out;
}

}  // namespace

Tier read_tier(const YamlNode& node) {
  const std::string name = node.text();
  std::string known;
  for (int i = 0; i <= static_cast<int>(Tier::kAbsent); ++i) {
    if (name == tier_name(static_cast<Tier>(i))) return static_cast<Tier>(i);
    known += std::string(known.empty() ? "" : ", ") + tier_name(static_cast<Tier>(i));
  }
  node.fail("unknown tier '" + name + "'; expected one of " + known);
}

MusaEvidence read_evidence(const YamlNode& record) {
  return {read_tier(record.required("tier")), cited_or_empty(record, "source"), record.place()};
}

SdkRange sdk_of(const YamlNode& record) {
  return record.has("sdk") ? read_sdk_range(record.required("sdk")) : SdkRange{};
}

SdkRange read_sdk_range(const YamlNode& node) { return read_range(node, read_release); }

int read_sdk_version(const YamlNode& node) { return read_release(node, node.text()); }

MusaLibrary read_musa_library(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"library", "borders", "constants", "symbols", "types"});
  MusaLibrary out;
  out.file = file;
  out.name = root.required("library").text();
  if (root.has("borders")) {
    for (const auto& [key, why] : root.required("borders").entries()) {
      out.borders[read_sdk_version(key)] = why.text();
    }
  }
  if (root.has("constants")) out.constants = read_values(root.required("constants"), Tier::kMap);
  for (const auto& [key, node] : root.required("symbols").entries()) {
    out.symbols[key.text()] = read_musa_symbol(key, node);
  }
  for (const auto& [name, symbol] : out.symbols) {
    for (const std::string& other : symbol.also) {
      if (out.symbols.count(other) == 0) {
        throw TableError(symbol.place, name + ": 'also' names '" + other +
                                           "', which is not in this table; add an entry for it");
      }
    }
  }
  if (root.has("types")) {
    for (const auto& [key, node] : root.required("types").entries()) {
      for (const YamlNode& item : node.items()) {
        out.types[key.text()].push_back(read_musa_type(key.text(), item));
      }
    }
  }
  return out;
}

MusaBackend read_musa_backend(const std::string& file) {
  const YamlNode root = load_yaml(file);
  MusaBackend out;
  const YamlNode roots = root.required("roots");
  out.root_variables = roots.required("environment").texts();
  out.default_roots = roots.required("default").texts();
  out.subfolders = root.required("subfolders").texts();
  for (const auto& [key, node] : root.required("version").entries()) {
    out.versions.push_back({key.text(), node.required("call").text(),
                            node.required("encoding").text(), read_evidence(node)});
  }
  const YamlNode runtime = root.required("version").required("musart");
  out.runtime_version_call = runtime.required("call").text();
  for (const YamlNode& item : runtime.required("sdk").items()) {
    item.only({"reported", "is", "tier", "source"});
    const SdkRange reported =
        read_range(item.required("reported"), [](const YamlNode& node, const std::string& text) {
          // Nine digits fit into an int and leave room for the end of the range.
          if (text.empty() || text.size() > 9 ||
              text.find_first_not_of("0123456789") != std::string::npos) {
            node.fail("expected a number of at most nine digits, found '" + text + "'");
          }
          return std::stoi(text);
        });
    const std::string is = item.required("is").text();
    out.runtime_versions.push_back({reported.from, reported.to,
                                    is == "reported" ? 0 : read_release(item, is),
                                    read_evidence(item)});
  }
  for (const YamlNode& item : root.required("environment").items()) {
    item.only({"cuda", "musa", "cuda_prefix", "musa_prefix", "except", "tier", "source"});
    MusaBackend::Variable variable;
    variable.evidence = read_evidence(item);
    const bool prefix = item.has("cuda_prefix");
    variable.cuda = item.required(prefix ? "cuda_prefix" : "cuda").text();
    variable.musa = item.required(prefix ? "musa_prefix" : "musa").text();
    variable.except = item.texts_or_none("except");
    (prefix ? out.prefixes : out.variables).push_back(variable);
  }
  return out;
}

std::vector<MusaQuirk> read_musa_quirks(const std::string& file) {
  std::vector<MusaQuirk> out;
  for (const auto& [key, node] : load_yaml(file).entries()) {
    node.only({"library", "stand_in", "says", "sdk", "tier", "sources", "otherwise"});
    MusaQuirk quirk;
    quirk.name = key.text();
    quirk.library = node.required("library").text();
    quirk.says = node.required("says").text();
    quirk.sdk = sdk_of(node);
    quirk.tier = read_tier(node.required("tier"));
    quirk.sources = read_sources(node);
    quirk.place = key.place();
    quirk.on_stand_in = node.has("stand_in") && node.required("stand_in").boolean();
    if (node.has("otherwise")) {
      const YamlNode otherwise = node.required("otherwise");
      otherwise.only({"says", "tier", "sources"});
      quirk.otherwise = {otherwise.required("says").text(), read_tier(otherwise.required("tier")),
                         read_sources(otherwise)};
    }
    out.push_back(quirk);
  }
  return out;
}

}  // namespace torchada
