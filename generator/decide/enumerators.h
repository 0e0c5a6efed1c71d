// Numbers of enumerators by name, on either side.
#pragma once

#include <string>

#include "generator/tables/tables.h"

namespace torchada {

// Both throw TableError at `place` if the number is not known.
std::int64_t cuda_enumerator_value(const Tables& tables, const std::string& type,
                                   const std::string& name, const Place& place);
std::int64_t musa_enumerator_value(const Tables& tables, const std::string& type,
                                   const std::string& name, const Place& place);

}  // namespace torchada
