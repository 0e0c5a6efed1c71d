#include "generator/tables/model.h"

#include <algorithm>

namespace torchada {

bool Prototype::operator==(const Prototype& other) const {
  if (returns != other.returns || parameters.size() != other.parameters.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].type != other.parameters[i].type) return false;
  }
  return true;
}

const char* kind_name(TypeKind kind) {
  static const char* const kNames[] = {"scalar", "handle", "enum", "struct", "callback"};
  return kNames[static_cast<int>(kind)];
}

const char* tier_name(Tier tier) {
  static const char* const kNames[] = {"hardware", "sdk",  "nm",  "code",    "decl",  "doc",
                                       "driver",   "cbid", "map", "comment", "absent"};
  return kNames[static_cast<int>(tier)];
}

SdkRange common(const SdkRange& left, const SdkRange& right) {
  return {std::max(left.from, right.from), std::min(left.to, right.to)};
}

}  // namespace torchada
