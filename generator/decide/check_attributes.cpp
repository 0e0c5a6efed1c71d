#include "generator/decide/check_attributes.h"

#include <algorithm>

#include "generator/decide/unknown_numbers.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

bool has_enumerator(const CudaType& type, const std::string& name) {
  for (const CudaType::Variant& variant : type.variants) {
    const auto& values = variant.fact.enumeration.values;
    if (std::any_of(values.begin(), values.end(),
                    [&](const EnumValue& item) { return item.name == name; })) {
      return true;
    }
  }
  return false;
}

void check_value(const Tables& tables, const Output& output, const AttributeValue& value) {
  if (value.unset && *value.unset != -1) {
    throw TableError(value.place, "expected -1 as 'unset'");
  }
  const TypeFact* type = fact_in(tables, value.type, output);
  if (!type || type->kind != TypeKind::kEnum) {
    bytes_of_plain(value);
  } else if (const std::string why = undecided_number(tables, output, value.type); !why.empty()) {
    throw TableError(value.place, why);
  }
}

}  // namespace

void check_attributes(const Tables& tables, const Output& output) {
  const ForwardLibrary& forward = tables.forward[output.library];
  for (const auto& [type, values] : forward.attributes) {
    const CudaType* known = tables.cuda_type(type);
    const TypeFact* fact = fact_in(tables, type, output);
    if (!known || !fact || fact->kind != TypeKind::kEnum) {
      throw TableError(forward.rows_place,
                       "'" + type + "' is not an enumeration of " + output.soname);
    }
    if (const std::string why = undecided_number(tables, output, type); !why.empty()) {
      throw TableError(forward.rows_place, why);
    }
    for (const auto& [name, value] : values) {
      if (!has_enumerator(*known, name)) {
        throw TableError(value.place, "'" + name + "' is not an enumerator of " + type);
      }
      check_value(tables, output, value);
    }
    for (const EnumValue& item : fact->enumeration.values) {
      if (values.count(item.name) == 0) {
        throw TableError(forward.rows_place,
                         "attribute " + item.name + " is missing in 'attributes'");
      }
    }
  }
}

}  // namespace torchada
