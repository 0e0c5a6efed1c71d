// Holds a mutex for a scope. The mutex is also taken around fork(), so that a child never inherits
// it from a thread that the child lacks.
#pragma once

#include <pthread.h>

namespace torchada {

template <pthread_mutex_t& mutex>
class ForkSafeLock {
 public:
  ForkSafeLock() {
    // Read first: an exchange would write the line at every lock.
    if (!__atomic_load_n(&watches_forks, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&watches_forks, true, __ATOMIC_RELAXED)) {
      pthread_atfork(lock, unlock, unlock);
    }
    lock();
  }
  ~ForkSafeLock() { unlock(); }
  ForkSafeLock(const ForkSafeLock&) = delete;
  ForkSafeLock& operator=(const ForkSafeLock&) = delete;

 private:
  static void lock() { pthread_mutex_lock(&mutex); }
  static void unlock() { pthread_mutex_unlock(&mutex); }
  static inline bool watches_forks;
};

}  // namespace torchada
