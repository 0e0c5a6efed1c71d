// C++ of the struct conversions in LABEL/adapters.cpp. A body has '@' where the function's name
// belongs; `converters` are the functions that convert each field's enumerator, empty for others.
#pragma once

#include <string>
#include <vector>

#include "struct_conversion.h"

namespace torchada {

// Declares NAME: MUSA's struct, zero.
std::string struct_local(const StructConversion& conversion, const std::string& name);

// int NAME(unsigned char* musa, const unsigned char* cuda): 0, or the status to return; it is
// `refused` where a field that MUSA lacks is not zero.
std::string struct_in_body(const StructConversion& conversion,
                           const std::vector<std::string>& converters, std::int64_t refused);

// void NAME(unsigned char* cuda, const unsigned char* musa)
std::string struct_out_body(const StructConversion& conversion,
                            const std::vector<std::string>& converters);

}  // namespace torchada
