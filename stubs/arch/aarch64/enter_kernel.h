// The instruction that calls the kernel; see stubs/system/system_call.h.
#pragma once

#include <stdint.h>

namespace torchada {

inline int64_t enter_kernel(int64_t number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                            uint64_t d = 0, uint64_t e = 0, uint64_t f = 0) {
  register int64_t call __asm__("x8") = number;
  register uint64_t answer __asm__("x0") = a;
  register uint64_t second __asm__("x1") = b;
  register uint64_t third __asm__("x2") = c;
  register uint64_t fourth __asm__("x3") = d;
  register uint64_t fifth __asm__("x4") = e;
  register uint64_t sixth __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(answer)
                   : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "memory");
  return static_cast<int64_t>(answer);
}

}  // namespace torchada
