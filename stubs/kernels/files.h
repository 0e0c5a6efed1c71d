// The kernel libraries that the user named: files of device code for MUSA, made from the source of
// a program's kernels.
//
// TORCHADA_KERNELS=FILE:FOLDER:... lists them. A folder stands for its regular files in the order
// of their names, without those that begin with a dot.
#pragma once

#include <stddef.h>

namespace torchada::kernels {

// Whether the user named any, even one that is missing. The variable is read once.
bool are_named();

// The same, or kernels are made on demand (on_demand.h): registered code may have an image.
bool are_given();

// Those that are there, in the user's order. The first call says in one line each which are not.
size_t file_count();
const char* file(size_t number);

}  // namespace torchada::kernels
