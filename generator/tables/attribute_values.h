// What the attributes of descriptors hold: the key `attributes` of mappings/forward/. A program
// passes such a value in an untyped buffer, so no prototype gives its type.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "generator/tables/model.h"
#include "src/shared/yaml_source.h"

namespace torchada {

struct AttributeValue {
  std::string type;  // An enumeration or a C type; "uint32_t[]" is a list of any length.
  std::optional<std::int64_t> initial;  // For an attribute that MUSA lacks: its constant value.
  std::optional<std::int64_t> unset;    // For an enumeration: the number that means "none of them".
  // Whether any value is kept and MUSA is not told: with a line (`told`), or without (`accepted`).
  enum class Kept { kNo, kAccepted, kTold } kept = Kept::kNo;
  std::string reason;  // Why it is kept.
  Place place;
};

// Enumeration of attributes -> its enumerators.
using AttributeValues = std::map<std::string, std::map<std::string, AttributeValue>>;

// Throws TableError.
AttributeValues read_attribute_values(const YamlNode& node);

// Bytes of a value that is not an enumeration; 0 for a list. Throws TableError for an unknown type.
int bytes_of_plain(const AttributeValue& value);

}  // namespace torchada
