#include "generator/tables/cuda_tables.h"

#include <algorithm>
#include <set>

#include "generator/tables/table_parts.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Reads a list of releases: each known, none twice, in the order of releases.yaml.
std::vector<std::string> read_release_names(const YamlNode& node, const CudaReleases& releases) {
  std::vector<std::string> out;
  int last = -1;
  for (const YamlNode& item : node.items()) {
    const int index = releases.index_of(item.text());
    if (index < 0) item.fail("unknown release '" + item.text() + "'");
    if (index <= last) item.fail("release '" + item.text() + "' is repeated or out of order");
    last = index;
    out.push_back(item.text());
  }
  if (out.empty()) node.fail("expected at least one release");
  return out;
}

// Variants of one name must describe different releases.
void claim_releases(const YamlNode& node, const std::vector<std::string>& releases,
                    std::set<std::string>& claimed) {
  for (const std::string& release : releases) {
    if (!claimed.insert(release).second) {
      node.fail("two variants for release '" + release + "'");
    }
  }
}

EnumLayout read_enum(const YamlNode& node) {
  EnumLayout out;
  for (const auto& [name, value] : node.required("values").entries()) {
    out.values.push_back({name.text(), value.integer()});
  }
  return out;
}

StructLayout read_struct(const YamlNode& node, bool is_union) {
  StructLayout out;
  out.is_union = is_union;
  out.size = node.required("size").integer();
  out.align = node.required("align").integer();
  out.fields = read_fields(node.required("fields"));
  const std::vector<YamlNode> items = node.required("fields").items();
  for (std::size_t index = 0; index < items.size(); ++index) {
    const std::int64_t offset = out.fields[index].offset;
    if (offset < 0 || offset > out.size) items[index].fail("the offset is outside the struct");
  }
  return out;
}

TypeFact read_fact(const YamlNode& node) {
  TypeFact fact;
  bool is_union = false;
  fact.kind = read_type_kind(node.required("kind"), &is_union);
  switch (fact.kind) {
    case TypeKind::kEnum:
      node.only({"releases", "kind", "values"});
      fact.enumeration = read_enum(node);
      break;
    case TypeKind::kStruct:
      node.only({"releases", "kind", "size", "align", "fields"});
      fact.structure = read_struct(node, is_union);
      break;
    case TypeKind::kCallback:
      node.only({"releases", "kind", "returns", "parameters"});
      fact.callback = read_prototype(node);
      break;
    case TypeKind::kHandle:
    case TypeKind::kScalar:
      node.only({"releases", "kind", "underlying"});
      fact.underlying = node.required("underlying").text();
      break;
  }
  return fact;
}

// `appeared` and `removed` follow from `releases`; if they contradict it, somebody edited the
// table.
void check_lifetime(const YamlNode& node, const CudaSymbol& symbol, const CudaReleases& releases) {
  const int first = releases.index_of(symbol.releases.front());
  const std::string appeared = first == 0 ? "" : symbol.releases.front();
  const auto last = static_cast<std::size_t>(releases.index_of(symbol.releases.back()));
  const std::string removed =
      last + 1 < releases.releases.size() ? releases.releases[last + 1].name : "";
  const auto check = [&](const std::string& key, const std::string& expected) {
    if (node.text_or(key, "") == expected) return;
    (node.has(key) ? node.required(key) : node).fail("'" + key + "' contradicts 'releases'");
  };
  check("appeared", appeared);
  check("removed", removed);
}

CudaSymbol read_symbol(const std::string& name, const YamlNode& node,
                       const CudaReleases& releases) {
  node.only({"releases", "appeared", "removed", "weak", "alias_of", "prototypes"});
  CudaSymbol symbol;
  symbol.name = name;
  symbol.place = node.place();
  symbol.releases = read_release_names(node.required("releases"), releases);
  check_lifetime(node, symbol, releases);
  symbol.weak = node.has("weak") && node.required("weak").boolean();
  symbol.alias_of = node.text_or("alias_of", "");
  std::set<std::string> claimed;
  if (!node.has("prototypes")) return symbol;
  for (const YamlNode& item : node.required("prototypes").items()) {
    item.only({"releases", "source", "returns", "parameters"});
    CudaSymbol::Variant variant;
    variant.releases = read_release_names(item.required("releases"), releases);
    claim_releases(item, variant.releases, claimed);
    for (const std::string& release : variant.releases) {
      if (std::find(symbol.releases.begin(), symbol.releases.end(), release) ==
          symbol.releases.end()) {
        item.fail("a prototype for release '" + release +
                  "', but that release does not export the symbol");
      }
    }
    variant.source = item.required("source").text();
    variant.prototype = read_prototype(item);
    symbol.prototypes.push_back(std::move(variant));
  }
  return symbol;
}

CudaType read_type(const std::string& name, const YamlNode& key, const YamlNode& node,
                   const CudaReleases& releases) {
  CudaType type;
  type.name = name;
  type.place = key.place();
  std::set<std::string> claimed;
  for (const YamlNode& item : node.items()) {
    CudaType::Variant variant;
    variant.fact = read_fact(item);
    variant.releases = read_release_names(item.required("releases"), releases);
    claim_releases(item, variant.releases, claimed);
    type.variants.push_back(std::move(variant));
  }
  if (type.variants.empty()) key.fail("expected at least one variant");
  return type;
}

void read_binaries(const YamlNode& node, const CudaReleases& releases, CudaLibrary& library) {
  int last = -1;
  for (const auto& [name, value] : node.entries()) {
    const int index = releases.index_of(name.text());
    if (index < 0) name.fail("unknown release '" + name.text() + "'");
    if (index < last) name.fail("release '" + name.text() + "' is out of order");
    last = index;
    value.only({"soname", "node", "needed", "runpath"});
    CudaRelease release;
    release.name = name.text();
    release.abi = releases.releases[static_cast<std::size_t>(index)].abi;
    release.soname = value.required("soname").text();
    release.node = value.required("node").text();
    release.needed = value.required("needed").texts();
    release.runpath = value.required("runpath").text();
    library.releases.push_back(std::move(release));
  }
}

}  // namespace

int CudaReleases::index_of(const std::string& release) const {
  for (std::size_t index = 0; index < releases.size(); ++index) {
    if (releases[index].name == release) return static_cast<int>(index);
  }
  return -1;
}

CudaReleases read_cuda_releases(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"releases"});
  CudaReleases out;
  out.file = file;
  for (const auto& [name, value] : root.required("releases").entries()) {
    value.only({"abi", "packages"});
    out.releases.push_back({name.text(), static_cast<int>(value.required("abi").integer()),
                            value.required("packages").texts()});
  }
  if (out.releases.empty()) root.fail("expected at least one release");
  return out;
}

CudaLibrary read_cuda_library(const std::string& file, const CudaReleases& releases) {
  const YamlNode root = load_yaml(file);
  root.only({"library", "binaries", "symbols", "types"});
  CudaLibrary out;
  out.file = file;
  out.name = root.required("library").text();
  read_binaries(root.required("binaries"), releases, out);
  for (const auto& [name, value] : root.required("symbols").entries()) {
    CudaSymbol symbol = read_symbol(name.text(), value, releases);
    symbol.place = name.place();
    out.symbols.emplace(name.text(), std::move(symbol));
  }
  for (const auto& [name, value] : root.required("types").entries()) {
    out.types.emplace(name.text(), read_type(name.text(), name, value, releases));
  }
  for (const auto& [name, symbol] : out.symbols) {
    if (!symbol.alias_of.empty() && out.symbols.count(symbol.alias_of) == 0) {
      throw TableError(symbol.place, "alias_of names '" + symbol.alias_of +
                                         "', which is not a symbol of this table");
    }
  }
  return out;
}

CudaLibrary read_cuda_library(const std::string& file, const std::string& releases_file) {
  return read_cuda_library(file, read_cuda_releases(releases_file));
}

}  // namespace torchada
