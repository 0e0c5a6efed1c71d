#pragma once

#include <pthread.h>

namespace mtml {

// A child of fork() finds the mutex that `Mutex()` gives free, whatever other threads did.
template <auto& Mutex>
void free_in_child() {
  pthread_atfork([] { Mutex().lock(); }, [] { Mutex().unlock(); }, [] { Mutex().unlock(); });
}

}  // namespace mtml
