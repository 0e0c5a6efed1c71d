// What the attributes of descriptors hold: the key `attributes` of mappings/forward/. A program
// passes such a value in a buffer of untyped bytes, so no prototype tells its type.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model.h"
#include "yaml_source.h"

namespace torchada {

struct AttributeValue {
  std::string type;  // An enumeration, or a type of C's; "uint32_t[]" is a list of any length.
  std::optional<std::int64_t> initial;  // Where MUSA lacks the attribute: what it always is.
  std::optional<std::int64_t> unset;    // Of an enumeration: a number that stands for none of it.
  Place place;
};

// Enumeration of attributes -> its enumerators.
using AttributeValues = std::map<std::string, std::map<std::string, AttributeValue>>;

// Throws TableError.
AttributeValues read_attribute_values(const YamlNode& node);

// Bytes of a value that is no enumeration; 0 for a list. Throws TableError for an unknown type.
int bytes_of_plain(const AttributeValue& value);

}  // namespace torchada
