#include "src/host/mtml/ready.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "src/host/mtml/machine.h"
#include "src/host/mtml/objects.h"

namespace mtml {
namespace {

constinit std::mutex making;
constinit std::atomic<bool> is_ready{false};

void hold_all() {
  making.lock();
  if (!is_ready) return;
  objects_mutex().lock();
  watcher_mutex().lock();
}

void release_all() {
  if (is_ready) {
    watcher_mutex().unlock();
    objects_mutex().unlock();
  }
  making.unlock();
}

// While the library is loaded: a thread that registers handlers may wait for one that forks.
[[gnu::constructor]] void watch_forks() { pthread_atfork(hold_all, release_all, release_all); }

}  // namespace

void make_ready() {
  if (is_ready.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(making);
  objects_mutex();
  watcher_mutex();
  is_ready.store(true, std::memory_order_release);
}

}  // namespace mtml
