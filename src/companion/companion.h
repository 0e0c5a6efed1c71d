// What the fake libraries ask of the companion, found by name with dlsym (stubs/companion.h). Plain
// C types only: the two sides may be of different compilers, and the companion's C++ library is
// hidden.
#pragma once

#include <stdint.h>

extern "C" {

// Raised with every change of what is declared here; a library of another number does not use it.
inline constexpr int32_t kCompanionInterface = 1;

int32_t torchada_companion_interface();

// What a slot shall hold instead of `address`, the way of `function` of `library` (a SONAME; both
// texts live on): a function that records each call and passes it on. `address` itself where its
// calls are not traced; `settled` is 0 where the slot must not keep that.
void* torchada_companion_trace(const char* library, const char* function, void* address,
                               int32_t* settled);
}
