// Calls of the kernel without the C library: each function of the C library that a fake library
// names costs the loader 700 instructions when it loads that library.
#pragma once

#include <stdint.h>

#include <type_traits>

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

inline int64_t system_call_of_words(int64_t number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                                    uint64_t d = 0, uint64_t e = 0, uint64_t f = 0) {
  register uint64_t fourth __asm__("r10") = d;
  register uint64_t fifth __asm__("r8") = e;
  register uint64_t sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return number;
}

// The kernel's answer to call `number` with these integers and addresses: -1 to -4095 is an error,
// by its number in errno.h. Keeps errno.
template <typename... Arguments>
int64_t system_call(int64_t number, Arguments... arguments) {
  return system_call_of_words(number, word_of(arguments)...);
}

}  // namespace torchada
