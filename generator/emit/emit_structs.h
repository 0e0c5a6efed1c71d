// Emits C++ for the struct conversions in LABEL/adapters.cpp. A body has '@' in place of the
// function's name; `converters` are the functions that convert each field's enumerator, empty for
// other fields.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/struct_conversion.h"

namespace torchada {

// Declares NAME, a zeroed struct of MUSA's.
std::string struct_local(const StructConversion& conversion, const std::string& name);

// int NAME(unsigned char* musa, const unsigned char* cuda): 0, or the status to return, which is
// `refused` if a field that MUSA lacks is not zero.
std::string struct_in_body(const StructConversion& conversion,
                           const std::vector<std::string>& converters, std::int64_t refused);

// void NAME(unsigned char* cuda, const unsigned char* musa)
std::string struct_out_body(const StructConversion& conversion,
                            const std::vector<std::string>& converters);

}  // namespace torchada
