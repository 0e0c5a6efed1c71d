// What a program set on an object of MUSA's that MUSA itself is not told, such as a mode of a
// handle.
#pragma once

#include <stdint.h>

namespace torchada {

// Tells the values of an object apart. Each library has numbers of its own.
using KeptKind = unsigned;

// False if there is no room for another object with a value other than `initial`.
bool keep_value(const void* object, KeptKind kind, int64_t value, int64_t initial);

// The last value that was kept, or `initial`.
int64_t kept_value(const void* object, KeptKind kind, int64_t initial);

// Before MUSA destroys the object: it may give the next one the same address.
void forget_values(const void* object);

}  // namespace torchada
