// How wide the vector registers are that the cold path must save. Measured on the first call rather
// than at load: in a virtual machine cpuid traps to the hypervisor and costs microseconds each
// time.
//
// Compiled for general registers only: it runs before the vector registers are saved.
#include <stdint.h>

#include "stubs/table.h"

extern "C" {
TORCHADA_HIDDEN uint32_t torchada_vector_width = 0;  // Bytes; 0 until measured.
}

namespace {

// Bits of XCR0, which says what the kernel saves: Intel SDM vol. 1, 13.3.
constexpr uint32_t kAvx = 0x6, kAvx512 = 0xe6;

bool has_xgetbv() {
  uint32_t leaf = 1, features = 0;
  __asm__ volatile("cpuid" : "+a"(leaf), "+c"(features) : : "ebx", "edx");
  return (features & (1u << 27)) != 0;  // OSXSAVE
}

uint32_t enabled_state() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

}  // namespace

// Idempotent: racing threads store the same value.
extern "C" TORCHADA_HIDDEN void torchada_measure_vector_state() {
  const uint32_t enabled = has_xgetbv() ? enabled_state() : 0;
  uint32_t width = 16;
  if ((enabled & kAvx) == kAvx) width = 32;
  if ((enabled & kAvx512) == kAvx512) width = 64;
  __atomic_store_n(&torchada_vector_width, width, __ATOMIC_RELAXED);
}
