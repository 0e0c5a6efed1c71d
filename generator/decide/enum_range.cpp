#include "generator/decide/enum_range.h"

#include <set>

namespace torchada {

EnumConversion own_numbers(const std::string& cuda_type, const std::string& musa_type,
                           const EnumLayout& cuda, bool is_combined,
                           const std::map<std::string, std::string>& refused) {
  EnumConversion out;
  out.cuda_type = cuda_type;
  out.musa_type = musa_type;
  out.is_combined = is_combined;
  std::set<std::int64_t> seen;
  for (const EnumValue& value : cuda.values) {
    // An adapter takes an int.
    const auto number = static_cast<std::int32_t>(value.value);
    if (!seen.insert(number).second) continue;
    (refused.count(value.name) != 0 ? out.refused : out.cases)
        .push_back({number, number, value.name});
  }
  return out;
}

}  // namespace torchada
