#include "generator/decide/enumerators.h"

#include "src/shared/yaml_source.h"

namespace torchada {

std::int64_t cuda_enumerator_value(const Tables& tables, const std::string& type,
                                   const std::string& name, const Place& place) {
  if (const CudaType* cuda = tables.cuda_type(type)) {
    for (auto variant = cuda->variants.rbegin(); variant != cuda->variants.rend(); ++variant) {
      for (const EnumValue& value : variant->fact.enumeration.values) {
        if (value.name == name) return value.value;
      }
    }
  }
  throw TableError(place, "the number of " + name + " in " + type + " is not known");
}

std::int64_t musa_enumerator_value(const Tables& tables, const std::string& type,
                                   const std::string& name, const Place& place) {
  if (const std::vector<MusaType>* variants = tables.musa_type(type)) {
    for (const MusaType& variant : *variants) {
      for (const MusaEnumValue& value : variant.values) {
        if (value.name == name && value.known) return value.value;
      }
    }
  }
  throw TableError(place, "the number of " + name + " in " + type + " is not known");
}

}  // namespace torchada
