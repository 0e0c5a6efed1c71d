// What the fake libraries ask of the companion, found by name with dlsym (stubs/companion.h). Plain
// C types only: the two sides may be of different compilers, and the companion's C++ library is
// hidden.
#pragma once

#include <stdint.h>

extern "C" {

// Raised with every change of what is declared here; a library of another number does not use it.
inline constexpr int32_t kCompanionInterface = 1;

int32_t torchada_companion_interface();
}
