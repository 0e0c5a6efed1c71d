#pragma once

#include <ffi.h>

#include <cstdint>

namespace torchada::trace {

constexpr std::uint32_t kMostParameters = 32;

// What runs when a closure is called: libffi's interface of the function, where its result goes,
// the address of each argument, and the closure's `data`.
using Handler = void (*)(ffi_cif* interface, void* result, void** arguments, void* data);

// A function that calls `handler`. Null if the system does not allow closures. Never freed, so
// `data` must not be either.
void* closure(ffi_cif* interface, Handler handler, void* data);

}  // namespace torchada::trace
