#include "generator/tables/attribute_values.h"

namespace torchada {
namespace {

AttributeValue read_value(const YamlNode& node) {
  AttributeValue out;
  out.place = node.place();
  if (node.is_scalar()) {
    out.type = node.text();
    return out;
  }
  node.only({"value", "initial", "unset", "accepted", "told"});
  out.type = node.required("value").text();
  if (node.has("initial")) out.initial = node.required("initial").integer();
  if (node.has("unset")) out.unset = node.required("unset").integer();
  for (const auto& [key, kept] : {std::pair{"accepted", AttributeValue::Kept::kAccepted},
                                  std::pair{"told", AttributeValue::Kept::kTold}}) {
    if (!node.has(key)) continue;
    if (out.kept != AttributeValue::Kept::kNo) node.fail("expected one of accepted, told");
    if (!out.initial) node.fail("'" + std::string(key) + "' needs 'initial'");
    out.kept = kept;
    out.reason = node.required(key).text();
  }
  return out;
}

}  // namespace

AttributeValues read_attribute_values(const YamlNode& node) {
  AttributeValues out;
  for (const auto& [type, attributes] : node.entries()) {
    for (const auto& [name, value] : attributes.entries()) {
      out[type.text()][name.text()] = read_value(value);
    }
  }
  return out;
}

int bytes_of_plain(const AttributeValue& value) {
  static const std::map<std::string, int> kBytes = {
      {"int8_t", 1},  {"uint16_t", 2}, {"int32_t", 4}, {"uint32_t", 4},  {"float", 4},
      {"int64_t", 8}, {"uint64_t", 8}, {"void *", 8},  {"uint32_t[]", 0}};
  const auto found = kBytes.find(value.type);
  if (found == kBytes.end()) {
    throw TableError(value.place, "an attribute's value cannot have type '" + value.type + "'");
  }
  return found->second;
}

}  // namespace torchada
