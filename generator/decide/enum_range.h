// Enumerators that are the same on both sides, and a check that keeps other numbers away from MUSA.
#pragma once

#include <map>
#include <string>

#include "generator/decide/enum_conversion.h"
#include "generator/tables/model.h"

namespace torchada {

// Passes the numbers of `cuda` unchanged and nothing else, and not the enumerators named in
// `refused`. `is_combined`: also every combination of their bits.
EnumConversion own_numbers(const std::string& cuda_type, const std::string& musa_type,
                           const EnumLayout& cuda, bool is_combined,
                           const std::map<std::string, std::string>& refused);

}  // namespace torchada
