// The instruction that calls the kernel; see stubs/system/system_call.h.
#pragma once

#include <stdint.h>

namespace torchada {

inline int64_t enter_kernel(int64_t number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
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

}  // namespace torchada
