#include "generator/tables/condition_tables.h"

#include <algorithm>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

FunctionPattern read_pattern(const YamlNode& node) {
  FunctionPattern out;
  out.text = node.text();
  out.place = node.place();
  try {
    out.expression = std::regex(out.text);
  } catch (const std::regex_error& error) {
    node.fail("'" + out.text + "' is no regular expression: " + error.what());
  }
  return out;
}

ConditionRow read_row(const YamlNode& node) {
  ConditionRow out;
  out.functions = read_pattern(node.required("of"));
  for (const auto& [key, value] : node.entries()) {
    if (key.text() == "of") continue;
    if (key.text() == "abi") {
      for (const YamlNode& item : value.items()) {
        out.abis.push_back(static_cast<int>(item.integer()));
      }
      continue;
    }
    for (const YamlNode& item : value.items()) {
      out.conditions.push_back({item.text(), key.text(), item.place()});
    }
  }
  if (out.conditions.empty()) node.fail("a row without conditions; expected STATUS: [CONDITION]");
  return out;
}

LibraryConditions read_library(const YamlNode& node) {
  node.only({"rows", "without", "emulated"});
  LibraryConditions out;
  out.place = node.place();
  out.emulated = node.text_or("emulated", "");
  if (node.has("rows")) {
    for (const YamlNode& item : node.required("rows").items()) out.rows.push_back(read_row(item));
  }
  if (node.has("without")) {
    for (const YamlNode& item : node.required("without").items()) {
      item.only({"of", "why"});
      item.required("why").text();
      out.without.push_back(read_pattern(item.required("of")));
    }
  }
  return out;
}

}  // namespace

bool FunctionPattern::matches(const std::string& function) const {
  return std::regex_match(function, expression);
}

ConditionTable read_conditions(const std::string& file, const Registry& registry) {
  ConditionTable out;
  for (const auto& [key, node] : load_yaml(file).entries()) {
    const std::string name = key.text();
    if (std::none_of(registry.libraries.begin(), registry.libraries.end(),
                     [&](const ReplacementLibrary& library) { return library.name == name; })) {
      key.fail("'" + name + "' is not a library of " + registry.file);
    }
    out[name] = read_library(node);
  }
  return out;
}

}  // namespace torchada
