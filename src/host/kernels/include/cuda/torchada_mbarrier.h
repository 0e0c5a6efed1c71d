// Barriers in shared memory (mbarrier). From the lowest bit on, a word has the arrivals that a
// phase expects (20 bits), those that are pending (20), the bytes that are still to come (21), and
// in its highest bit the parity of the phase.
#pragma once

#include "torchada_atomics.h"

namespace torchada {

typedef unsigned long Barrier;
constexpr Barrier kArrivals = 0xfffff, kBytes = 0x1fffff;

TORCHADA_DEVICE Barrier new_barrier(unsigned int count) {
  return Barrier{count} << 20 | Barrier{count};
}
TORCHADA_DEVICE unsigned int pending_arrivals(Barrier barrier) {
  return static_cast<unsigned int>(barrier >> 20 & kArrivals);
}
TORCHADA_DEVICE bool parity(Barrier barrier) { return barrier >> 63 != 0; }

// Counts arrivals, threads that will not come again, and bytes: those that are expected, or those
// that came, below 0. The last one begins the next phase. Returns what was there.
TORCHADA_DEVICE Barrier count_at(Barrier* barrier, unsigned int arrivals, unsigned int gone,
                                 int bytes) {
  return change(barrier, [=](Barrier old) {
    const Barrier expected = (old & kArrivals) - gone;
    const Barrier pending = (old >> 20 & kArrivals) - arrivals;
    const Barrier to_come = ((old >> 40) + static_cast<Barrier>(bytes)) & kBytes;
    if (pending == 0 && to_come == 0) return (~old >> 63 << 63) | expected << 20 | expected;
    return (old >> 63 << 63) | to_come << 40 | pending << 20 | expected;
  });
}

// Whether the phase of that parity has ended. A thread that asks may be waiting.
TORCHADA_DEVICE bool phase_ended(Barrier* barrier, bool of_parity) {
  torchada_spin_here();
  return parity(__atomic_load_n(barrier, __ATOMIC_SEQ_CST)) != of_parity;
}
TORCHADA_DEVICE bool try_phase_ended(Barrier* barrier, bool of_parity) {
  if (phase_ended(barrier, of_parity)) return true;
  torchada_yield();
  return phase_ended(barrier, of_parity);
}

}  // namespace torchada
