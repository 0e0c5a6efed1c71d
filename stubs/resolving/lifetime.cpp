#include "stubs/resolving/lifetime.h"

#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "stubs/loading/injection.h"
#include "stubs/loading/opening.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/fallback.h"
#include "stubs/system/unfinished.h"

namespace torchada {
namespace {

constexpr int kAlive = -1;
std::atomic<int> over{kAlive};  // A FailureKind, or kAlive.
std::atomic<bool> watched{false};
std::atomic<bool> is_initialised{false};
std::atomic<bool> work_has_begun{false};  // The other replacement libraries were told.

bool outlives_fork(const Symbol& symbol) {
  return torchada_backend_table.outlives_fork[static_cast<int>(symbol.backend)];
}

// From now on, whatever leads into MUSA leads to a fallback; adapters reach MUSA through slots too.
// Does nothing but store, so it may run in the forked child of a multithreaded process.
void end(FailureKind why) {
  const bool spares = why == FailureKind::kForked && !was_cut_off();
  over.store(static_cast<int>(why), std::memory_order_release);
  for (uint32_t i = 0; i < torchada_library.symbol_count; ++i) {
    const Symbol& symbol = torchada_library.symbols[i];
    if (!leads_to_musa(symbol) || (spares && outlives_fork(symbol))) continue;
    __atomic_store_n(&torchada_slots[i], fallback_for(symbol, why), __ATOMIC_RELEASE);
  }
}

inline bool has_ended(FailureKind* why) {
  const int value = over.load(std::memory_order_acquire);
  if (value == kAlive) return false;
  *why = static_cast<FailureKind>(value);
  return true;
}

void end_by_exit() {
  if (torchada_before_exit) torchada_before_exit();
  end(FailureKind::kUnloading);
}
void end_by_fork() { end(FailureKind::kForked); }

// In the child. Another replacement library may have been cut off, so the others are asked again.
void after_fork() {
  watched.store(false, std::memory_order_relaxed);
  if (ends_at_fork() || was_cut_off()) end_by_fork();
}

}  // namespace

bool watch_lifetime() {
  // Handlers run in reverse order: this one, registered after MUSA's constructors have registered
  // their destructors, runs before those.
  watch_exit();
  pthread_atfork(nullptr, nullptr, after_fork);
  watched.store(true, std::memory_order_release);
  // Another replacement library may have ended or initialised MUSA before this one watched.
  const Elsewhere elsewhere = learn_of_elsewhere();
  if (elsewhere.ends_at_fork) end_here_at_fork();
  if (elsewhere.is_over) end(elsewhere.why);
  return elsewhere.is_observed;
}

void begin_work() {
  if (work_has_begun.load(std::memory_order_acquire)) return;
  // A library that the walk does not meet yet asks this one when it opens MUSA. No other thread may
  // skip this before it is done: that thread's call would initialise what some do not know of.
  end_here_at_fork();
  end_at_fork_elsewhere();
  map_environment_for_work();
  work_has_begun.store(true, std::memory_order_release);
  inject();
}

void end_here_at_fork() { is_initialised.store(true, std::memory_order_relaxed); }

bool ends_at_fork() { return is_initialised.load(std::memory_order_relaxed); }

void watch_exit() { atexit(end_by_exit); }

bool is_over(const Symbol& symbol, FailureKind* why) {
  if (!has_ended(why)) {
    if (watched.load(std::memory_order_acquire)) return false;
    if (!is_over_here(why) && !is_over_elsewhere(why)) return false;
  }
  return *why != FailureKind::kForked || !outlives_fork(symbol) || is_cut_off();
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
