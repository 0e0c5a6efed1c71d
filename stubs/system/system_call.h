// Calls of the kernel without the C library: each function of the C library that a replacement
// library names costs the loader 700 instructions when it loads that library.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "enter_kernel.h"

namespace torchada {

// Of an integer or an address.
template <typename Value>
uint64_t word_of(Value value) {
  if constexpr (std::is_pointer_v<Value>) {
    return reinterpret_cast<uint64_t>(value);
  } else {
    return static_cast<uint64_t>(value);
  }
}

// The kernel's answer to call `number` with these integers and addresses: -1 to -4095 is an error,
// by its number in errno.h. Keeps errno.
template <typename... Arguments>
int64_t system_call(int64_t number, Arguments... arguments) {
  return enter_kernel(number, word_of(arguments)...);
}

}  // namespace torchada
