#include "lifetime.h"

#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "fallback.h"
#include "peers.h"

namespace torchada {
namespace {

constexpr int kAlive = -1;
std::atomic<int> over{kAlive};  // A Failure, or kAlive.
std::atomic<bool> watched{false};

// Whatever leads into MUSA leads to a fallback from now on; adapters reach it through slots too.
// Only stores, so that it may run in a child of fork() of a process with threads.
void end(Failure why) {
  over.store(static_cast<int>(why), std::memory_order_release);
  for (uint32_t i = 0; i < torchada_library.symbol_count; ++i) {
    const Symbol& symbol = torchada_library.symbols[i];
    if (!leads_to_musa(symbol)) continue;
    __atomic_store_n(&torchada_slots[i], fallback_for(symbol, why), __ATOMIC_RELEASE);
  }
}

void end_by_exit() { end(Failure::kUnloading); }
void end_by_fork() { end(Failure::kForked); }

}  // namespace

void watch_lifetime() {
  // Handlers run in reverse order: this one, registered after MUSA's constructors have registered
  // their destructors, runs before those.
  watch_exit();
  pthread_atfork(nullptr, nullptr, end_by_fork);
  watched.store(true, std::memory_order_release);
  // Another fake library may have ended before this one watched.
  Failure why;
  if (is_over_elsewhere(&why)) end(why);
}

void watch_exit() { atexit(end_by_exit); }

bool is_over(Failure* why) {
  if (is_over_here(why)) return true;
  return !watched.load(std::memory_order_acquire) && is_over_elsewhere(why);
}

bool is_over_here(Failure* why) {
  const int value = over.load(std::memory_order_acquire);
  if (value == kAlive) return false;
  *why = static_cast<Failure>(value);
  return true;
}

}  // namespace torchada
