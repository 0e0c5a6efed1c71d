#include "generator/tables/entry_points.h"

#include <tuple>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

EntryPoint read_entry_point(const YamlNode& node, const CudaReleases& releases) {
  node.only({"version", "symbol", "per_thread", "releases"});
  EntryPoint out;
  out.place = node.place();
  out.version = static_cast<int>(node.required("version").integer());
  out.symbol = node.required("symbol").text();
  out.per_thread = node.has("per_thread") && node.required("per_thread").boolean();
  out.releases = node.required("releases").texts();
  int last = -1;
  for (const std::string& release : out.releases) {
    const int index = releases.index_of(release);
    if (index < 0) node.fail("unknown release '" + release + "'");
    if (index <= last) node.fail("release '" + release + "' is repeated or out of order");
    last = index;
  }
  if (out.releases.empty()) node.fail("expected at least one release");
  return out;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 6 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

EntryPointTable read_entry_points(const std::string& file, const CudaReleases& releases) {
  const YamlNode root = load_yaml(file);
  root.only({"library", "entry_points"});
  EntryPointTable out;
  out.file = file;
  out.library = root.required("library").text();
  for (const auto& [name, list] : root.required("entry_points").entries()) {
    std::vector<EntryPoint>& entries = out.names[name.text()];
    for (const YamlNode& item : list.items()) {
      const EntryPoint entry = read_entry_point(item, releases);
      if (!entries.empty() && std::tuple(entries.back().per_thread, entries.back().version) >=
                                  std::tuple(entry.per_thread, entry.version)) {
        item.fail("expected versions in ascending order, and those per thread last");
      }
      entries.push_back(entry);
    }
    if (entries.empty()) name.fail("expected at least one function");
  }
  return out;
}

VersionedName split_versions(const std::string& name) {
  VersionedName out;
  out.base = name;
  for (const std::string suffix : {"_ptsz", "_ptds"}) {
    if (!out.base.ends_with(suffix)) continue;
    out.per_thread = suffix;
    out.base.resize(out.base.size() - suffix.size());
  }
  const std::size_t at = out.base.rfind("_v");
  if (at != std::string::npos && is_number(out.base.substr(at + 2))) {
    out.number = std::stoi(out.base.substr(at + 2));
    out.base.resize(at);
  }
  return out;
}

}  // namespace torchada
