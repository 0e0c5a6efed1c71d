#include "lifetime.h"

#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "fallback.h"

namespace torchada {
namespace {

constexpr int kAlive = -1;
std::atomic<int> over{kAlive};  // A FailureKind, or kAlive.

// From now on, whatever leads into MUSA leads to a fallback; adapters reach MUSA through slots too.
// Does nothing but store, so it may run in the forked child of a multithreaded process.
void end(FailureKind why) {
  over.store(static_cast<int>(why), std::memory_order_seq_cst);
  for (uint32_t i = 0; i < torchada_library.symbol_count; ++i) {
    const Symbol& symbol = torchada_library.symbols[i];
    if (!leads_to_musa(symbol)) continue;
    __atomic_store_n(&torchada_slots[i], fallback_for(symbol, why), __ATOMIC_RELEASE);
  }
}

void end_by_exit() { end(FailureKind::kUnloading); }
void end_by_fork() { end(FailureKind::kForked); }

}  // namespace

void watch_lifetime() {
  // Handlers run in reverse order: this one, registered after MUSA's constructors have registered
  // their destructors, runs before those.
  atexit(end_by_exit);
  pthread_atfork(nullptr, nullptr, end_by_fork);
}

bool is_over(FailureKind* why) {
  const int value = over.load(std::memory_order_seq_cst);
  if (value == kAlive) return false;
  *why = static_cast<FailureKind>(value);
  return true;
}

}  // namespace torchada
