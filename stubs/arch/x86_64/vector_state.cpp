// Which vector state the cold path must save. Measured on the first call rather than at load: in a
// virtual machine cpuid traps to the hypervisor and costs microseconds each time.
//
// Compiled for general registers only: it runs before the vector registers are saved.
#include <stdint.h>

#include "stubs/table.h"

extern "C" {

enum : uint32_t { kFxsave = 0, kXsave = 1, kXsavec = 2 };

TORCHADA_HIDDEN uint32_t torchada_vector_mode = kFxsave;
TORCHADA_HIDDEN uint64_t torchada_vector_mask = 0;
TORCHADA_HIDDEN uint64_t torchada_vector_area = 0;  // Bytes; 0 until measured.

}  // extern "C"

namespace {

struct Cpuid {
  uint32_t eax, ebx, ecx, edx;
};

Cpuid cpuid(uint32_t leaf, uint32_t subleaf) {
  Cpuid r;
  __asm__ volatile("cpuid"
                   : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
                   : "a"(leaf), "c"(subleaf));
  return r;
}

uint64_t enabled_state() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

constexpr uint64_t kPkru = uint64_t{1} << 9;         // Protection keys: not an argument.
constexpr uint64_t kAmx = uint64_t{3} << 17;         // 8 KiB of tiles that no call passes.
constexpr uint32_t kLegacyArea = 512, kHeader = 64;  // Intel SDM vol. 1, 13.4.
constexpr uint32_t kFirstExtended = 2;

}  // namespace

// Idempotent: racing threads store the same values. The area comes last, because a nonzero area
// says that all three are measured.
extern "C" TORCHADA_HIDDEN void torchada_measure_vector_state() {
  uint32_t mode = kFxsave;
  uint64_t mask = 0, area = kLegacyArea;
  const bool has_xsave = cpuid(0, 0).eax >= 0xd && (cpuid(1, 0).ecx & (1u << 27)) != 0;
  if (has_xsave) {
    mask = enabled_state() & ~kPkru & ~kAmx;
    mode = (cpuid(0xd, 1).eax & (1u << 1)) != 0 ? kXsavec : kXsave;
    area = kLegacyArea + kHeader;
    for (uint32_t i = kFirstExtended; i < 63; ++i) {
      if ((mask >> i & 1) == 0) continue;
      const Cpuid state = cpuid(0xd, i);
      if (mode == kXsavec) {
        if (state.ecx & 2) area = (area + 63) & ~uint64_t{63};
        area += state.eax;
      } else if (state.ebx + state.eax > area) {
        area = state.ebx + state.eax;
      }
    }
  }
  __atomic_store_n(&torchada_vector_mode, mode, __ATOMIC_RELAXED);
  __atomic_store_n(&torchada_vector_mask, mask, __ATOMIC_RELAXED);
  __atomic_store_n(&torchada_vector_area, (area + 63) & ~uint64_t{63}, __ATOMIC_RELEASE);
}
