// CUDA libraries without a counterpart in torchada, by what files say of them.
#pragma once

#include <string>
#include <string_view>

#include "src/shared/other_libraries.h"

namespace torchada::check {

// Null if the library does not belong to CUDA. A part of a library (libcudnn_graph, libnppial)
// returns the entry of the whole.
const OtherLibrary* find_other(const std::string& file_name);

// The library that has a function of this name, decided by its prefix. Null if none has.
const OtherLibrary* find_other_by_function(std::string_view name);

// The library that an #include of this header is about. Null if none.
const OtherLibrary* find_other_by_header(std::string_view header);

}  // namespace torchada::check
