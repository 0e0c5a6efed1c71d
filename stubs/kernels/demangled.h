// The names of kernels as their sources have them, and what a user can do about one that is
// missing.
#pragma once

#include "src/shared/text.h"

namespace torchada::kernels {

// After "has no MUSA image" and the like.
constexpr const char* kMakeImage =
    "make one from its source (torchada kernels build) and start the program with torchada run "
    "--kernels=IMAGE";
constexpr const char* kAddImage =
    "make an image from its source (torchada kernels build) and name it too";
constexpr const char* kNvidiaCode =
    "NVIDIA's device code does not run on MUSA: make an image from its source (torchada kernels "
    "build) and start the program with torchada run --kernels=IMAGE";

using ShownName = Text<500>;

// "add(float*, int)" for "_Z3addPfi" if a C++ library of the process can tell, otherwise the name
// as it is. A long name ends with "...". For lines that are printed once: the C++ library allocates
// memory.
ShownName shown_name(const char* name);

}  // namespace torchada::kernels
