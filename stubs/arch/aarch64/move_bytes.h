// For memcpy and memset of stubs/system/own_libc.cpp: general registers only. A loop would do, if
// the compiler did not make a call of memcpy out of it.
#pragma once

#include <stddef.h>

namespace torchada {

inline void copy_bytes(void* to, const void* from, size_t size) {
  auto* const out = static_cast<volatile unsigned char*>(to);
  const auto* const in = static_cast<const unsigned char*>(from);
  for (size_t i = 0; i < size; ++i) out[i] = in[i];
}

inline void fill_bytes(void* to, int value, size_t size) {
  auto* const out = static_cast<volatile unsigned char*>(to);
  for (size_t i = 0; i < size; ++i) out[i] = static_cast<unsigned char>(value);
}

}  // namespace torchada
