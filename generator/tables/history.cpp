#include "generator/tables/history.h"

#include <cstdio>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

int read_version(const YamlNode& node) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  int length = 0;
  const std::string text = node.text();
  // NOLINTNEXTLINE(cert-err34-c): the length shows whether the whole text was read.
  if (std::sscanf(text.c_str(), "%3d.%3d.%3d%n", &major, &minor, &patch, &length) != 3 ||
      length != static_cast<int>(text.size())) {
    node.fail("'" + text + "': expected a version, for example 2.21.5");
  }
  return nccl_version_code(major, minor, patch);
}

}  // namespace

int nccl_version_code(int major, int minor, int patch) {
  const bool is_short = major < 2 || (major == 2 && minor <= 8);
  return major * (is_short ? 1000 : 10000) + minor * 100 + patch;
}

LibraryHistory read_library_history(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"library", "constants", "introduced"});
  LibraryHistory out;
  out.library = root.required("library").text();
  for (const auto& [key, node] : root.required("constants").entries()) {
    out.constants[key.text()] = node.integer();
  }
  int last = 0;
  for (const YamlNode& node : root.required("introduced").items()) {
    node.only({"version", "before", "symbols"});
    LibraryHistory::Step step;
    step.place = node.place();
    step.version = read_version(node.required("version"));
    if (node.has("before")) step.before = read_version(node.required("before"));
    if (step.before < last || step.version <= step.before)
      node.fail("expected versions in ascending order");
    last = step.version;
    step.symbols = node.required("symbols").texts();
    out.introduced.push_back(step);
  }
  return out;
}

}  // namespace torchada
