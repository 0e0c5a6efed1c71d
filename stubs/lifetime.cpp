#include "stubs/lifetime.h"

#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "stubs/fallback.h"
#include "stubs/peers.h"
#include "stubs/unfinished.h"

namespace torchada {
namespace {

constexpr int kAlive = -1;
std::atomic<int> over{kAlive};  // A FailureKind, or kAlive.
std::atomic<bool> watched{false};
std::atomic<bool> ends_at_fork{false};

// From now on, whatever leads into MUSA leads to a fallback; adapters reach MUSA through slots too.
// Does nothing but store, so it may run in the forked child of a multithreaded process.
void end(FailureKind why) {
  over.store(static_cast<int>(why), std::memory_order_release);
  for (uint32_t i = 0; i < torchada_library.symbol_count; ++i) {
    const Symbol& symbol = torchada_library.symbols[i];
    if (!leads_to_musa(symbol)) continue;
    __atomic_store_n(&torchada_slots[i], fallback_for(symbol, why), __ATOMIC_RELEASE);
  }
}

inline bool has_ended(FailureKind* why) {
  const int value = over.load(std::memory_order_acquire);
  if (value == kAlive) return false;
  *why = static_cast<FailureKind>(value);
  return true;
}

void end_by_exit() { end(FailureKind::kUnloading); }
void end_by_fork() { end(FailureKind::kForked); }

// In the child.
void after_fork() {
  if (torchada_library.tells_only && !ends_at_fork.load(std::memory_order_relaxed)) return;
  end_by_fork();
}

}  // namespace

void watch_lifetime() {
  // Handlers run in reverse order: this one, registered after MUSA's constructors have registered
  // their destructors, runs before those.
  watch_exit();
  pthread_atfork(nullptr, nullptr, after_fork);
  watched.store(true, std::memory_order_release);
  // Another fake library may have ended before this one watched.
  FailureKind why;
  if (is_over_elsewhere(&why)) end(why);
}

void end_at_fork() { ends_at_fork.store(true, std::memory_order_relaxed); }

void watch_exit() { atexit(end_by_exit); }

bool is_over(FailureKind* why) {
  if (has_ended(why)) return true;
  // Once fork() is watched, it ends what leads to MUSA, whatever it cut off.
  if (watched.load(std::memory_order_acquire)) return false;
  return is_over_here(why) || is_over_elsewhere(why);
}

bool is_cut_off() {
  return was_cut_off() || (!watched.load(std::memory_order_acquire) && is_cut_off_elsewhere());
}

bool is_over_here(FailureKind* why) {
  if (has_ended(why)) return true;
  if (!was_cut_off()) return false;
  end_by_fork();
  return has_ended(why);
}

}  // namespace torchada
