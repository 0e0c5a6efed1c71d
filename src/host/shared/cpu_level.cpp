#include "src/host/shared/cpu_level.h"

#include <cpuid.h>

namespace host {

// x86-64-v3 by the psABI's list. __builtin_cpu_supports knows whether the system keeps the wide
// registers; the rest are plain bits.
torchada_cpu_level cpu_level() {
  unsigned int a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned int kFirst = bit_FMA | bit_MOVBE | bit_F16C;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kFirst) != kFirst) return TORCHADA_CPU_BASELINE;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d) == 0 || (c & bit_LZCNT) == 0) {
    return TORCHADA_CPU_BASELINE;
  }
  const bool is_v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                     __builtin_cpu_supports("bmi2") != 0;
  return is_v3 ? TORCHADA_CPU_V3 : TORCHADA_CPU_BASELINE;
}

}  // namespace host
