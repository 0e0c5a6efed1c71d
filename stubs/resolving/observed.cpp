#include "stubs/resolving/observed.h"

#include <atomic>

#include "stubs/resolving/lifetime.h"
#include "stubs/table.h"

namespace torchada {
namespace {

std::atomic<uint32_t> epoch{0};

}  // namespace

uint32_t observed_epoch() { return epoch.load(std::memory_order_seq_cst); }

void put_back(uint32_t symbol, void* seen) {
  __atomic_compare_exchange_n(&torchada_slots[symbol], &seen, cold_entry_of(symbol), false,
                              __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

// A resolver that began before stores what it planned then, and looks at the epoch afterwards: it
// finds the new one and puts the slot back itself (resolver.cpp).
void observe_here(bool on) {
  uint32_t before = epoch.load(std::memory_order_relaxed);
  do {
    if (is_observed(before) == on) return;
  } while (!epoch.compare_exchange_weak(before, before + 1, std::memory_order_seq_cst));
  for (uint32_t i = 0; i < torchada_library.symbol_count; ++i) {
    if (torchada_library.symbols[i].decision == Decision::kInternal) continue;
    void* const seen = __atomic_load_n(&torchada_slots[i], __ATOMIC_SEQ_CST);
    // The final fallbacks stay. Whoever sees one of them sees the end, too.
    FailureKind why;
    if (is_over_here(&why)) return;
    put_back(i, seen);
  }
}

}  // namespace torchada
