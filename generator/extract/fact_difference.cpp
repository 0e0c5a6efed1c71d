#include "generator/extract/fact_difference.h"

#include <map>

namespace torchada {
namespace {

std::string pair_text(const std::string& what, const std::string& table,
                      const std::string& extracted) {
  return what + ": table " + table + ", extracted " + extracted;
}

std::string kind_text(const TypeFact& fact) {
  return fact.kind == TypeKind::kStruct && fact.structure.is_union ? "union" : kind_name(fact.kind);
}

std::string field_text(const Field& field) {
  return field.type + " at " + std::to_string(field.offset);
}

// Compares two lists of named things as texts.
std::vector<std::string> named(const std::string& what,
                               const std::vector<std::pair<std::string, std::string>>& table,
                               const std::vector<std::pair<std::string, std::string>>& extracted) {
  std::vector<std::string> out;
  std::map<std::string, std::string> left(table.begin(), table.end());
  std::map<std::string, std::string> right(extracted.begin(), extracted.end());
  for (const auto& [name, text] : table) {
    const auto other = right.find(name);
    if (other == right.end()) {
      out.push_back(what + " " + name + ": in the table, but not extracted");
    } else if (other->second != text) {
      out.push_back(pair_text(what + " " + name, text, other->second));
    }
  }
  for (const auto& [name, text] : extracted) {
    if (left.count(name) == 0)
      out.push_back(what + " " + name + ": extracted, but not in the table");
  }
  if (out.empty() && table != extracted) out.push_back("order of " + what + "s differs");
  return out;
}

}  // namespace

std::string describe(const Prototype& prototype) {
  std::string out = prototype.returns + " (";
  for (std::size_t index = 0; index < prototype.parameters.size(); ++index) {
    out += (index > 0 ? ", " : "") + prototype.parameters[index].type;
  }
  return out + ")";
}

std::vector<std::string> differences(const EnumLayout& table, const EnumLayout& extracted) {
  const auto texts = [](const EnumLayout& layout) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const EnumValue& value : layout.values) {
      out.emplace_back(value.name, std::to_string(value.value));
    }
    return out;
  };
  return named("value", texts(table), texts(extracted));
}

std::vector<std::string> differences(const StructLayout& table, const StructLayout& extracted) {
  std::vector<std::string> out;
  if (table.size != extracted.size) {
    out.push_back(pair_text("size", std::to_string(table.size), std::to_string(extracted.size)));
  }
  if (table.align != extracted.align) {
    out.push_back(
        pair_text("alignment", std::to_string(table.align), std::to_string(extracted.align)));
  }
  const auto texts = [](const StructLayout& layout) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const Field& field : layout.fields) fields.emplace_back(field.name, field_text(field));
    return fields;
  };
  const std::vector<std::string> fields = named("field", texts(table), texts(extracted));
  out.insert(out.end(), fields.begin(), fields.end());
  return out;
}

std::vector<std::string> differences(const TypeFact& table, const TypeFact& extracted) {
  if (kind_text(table) != kind_text(extracted)) {
    return {pair_text("kind", kind_text(table), kind_text(extracted))};
  }
  switch (table.kind) {
    case TypeKind::kEnum:
      return differences(table.enumeration, extracted.enumeration);
    case TypeKind::kStruct:
      return differences(table.structure, extracted.structure);
    case TypeKind::kCallback:
      if (table.callback == extracted.callback) return {};
      return {pair_text("prototype", describe(table.callback), describe(extracted.callback))};
    default:
      if (table.underlying == extracted.underlying) return {};
      return {pair_text("type", table.underlying, extracted.underlying)};
  }
}

}  // namespace torchada
