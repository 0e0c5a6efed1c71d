// Parts that several tables share: prototypes, fields, kinds of types.
#pragma once

#include "generator/tables/model.h"
#include "src/shared/yaml_source.h"

namespace torchada {

Prototype read_prototype(const YamlNode& node);        // {returns: T, parameters: [[T, name]]}
std::vector<Field> read_fields(const YamlNode& node);  // [[name, type, offset]]
TypeKind read_type_kind(const YamlNode& node, bool* is_union);

}  // namespace torchada
