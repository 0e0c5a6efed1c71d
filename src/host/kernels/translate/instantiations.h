// Explicit instantiations, which libclang does not show.
#pragma once

#include <string>

namespace kernels {

// Makes each `template RESULT NAME(PARAMETERS);` a pointer to the function, which libclang shows
// and which instantiates it as well. Lines keep their numbers.
std::string without_instantiations(const std::string& text);

}  // namespace kernels
