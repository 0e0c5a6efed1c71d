// Prototypes in libffi's form.
#pragma once

#include <ffi.h>

#include "src/companion/prototypes.h"

namespace torchada::trace {

// How to call a function that returns `returns` and takes the `count` members from `first` on.
// Never freed. Null if libffi refuses.
ffi_cif* call_interface(std::uint32_t returns, std::uint32_t first, std::uint32_t count);

}  // namespace torchada::trace
