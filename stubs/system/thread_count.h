// A number, or an address, that each thread has for itself, for the state of one library. By
// pthread_getspecific, because a PT_TLS segment takes room that dlopen may not find. Reading it
// never allocates. A thread's first set() may: glibc holds the first 32 keys of a process in the
// thread itself and calls calloc for others.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "stubs/system/glibc_compat.h"

TORCHADA_LATE_GLIBC(pthread_getspecific);
TORCHADA_LATE_GLIBC(pthread_key_create);
TORCHADA_LATE_GLIBC(pthread_key_delete);
TORCHADA_LATE_GLIBC(pthread_setspecific);

namespace torchada {

class ThreadCount {
 public:
  // `at_exit` gets the number of a thread that ends, if it is not 0.
  constexpr explicit ThreadCount(void (*at_exit)(void* count) = nullptr) : at_exit_(at_exit) {}

  // 0 in a thread that has not set it.
  uintptr_t get() {
    const uint64_t known = __atomic_load_n(&key_, __ATOMIC_ACQUIRE);
    if (known == 0) return 0;
    auto* const read = TORCHADA_LATE(kLibrary, pthread_getspecific);
    return read ? reinterpret_cast<uintptr_t>(read(static_cast<pthread_key_t>(known - 1))) : 0;
  }

  // False if the C library has no room for it. The count is then as it was.
  bool set(uintptr_t count) {
    auto* const write = TORCHADA_LATE(kLibrary, pthread_setspecific);
    pthread_key_t key;
    return write && find_key(&key) && write(key, reinterpret_cast<void*>(count)) == 0;
  }

 private:
  static constexpr const char* kLibrary = "libpthread.so.0";

  // Threads that race here agree on one key.
  bool find_key(pthread_key_t* key) {
    uint64_t known = __atomic_load_n(&key_, __ATOMIC_ACQUIRE);
    if (known == 0) {
      auto* const create = TORCHADA_LATE(kLibrary, pthread_key_create);
      if (!create || create(key, at_exit_) != 0) return false;
      const uint64_t ours = uint64_t{*key} + 1;
      if (__atomic_compare_exchange_n(&key_, &known, ours, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
        return true;
      }
      TORCHADA_LATE(kLibrary, pthread_key_delete)(*key);
    }
    *key = static_cast<pthread_key_t>(known - 1);
    return true;
  }

  void (*at_exit_)(void*);
  uint64_t key_ = 0;  // One more than the key, 0 until there is one.
};

}  // namespace torchada
