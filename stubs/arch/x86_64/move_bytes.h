// For memcpy and memset of stubs/system/own_libc.cpp: general registers only.
#pragma once

#include <stddef.h>

namespace torchada {

inline void copy_bytes(void* to, const void* from, size_t size) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

inline void fill_bytes(void* to, int value, size_t size) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
}

}  // namespace torchada
