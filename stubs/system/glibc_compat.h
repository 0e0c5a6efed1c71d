// Functions that libc.so.6 has since glibc 2.34. Before, libdl.so.2 and libpthread.so.0 have them.
//
// The replacement libraries need neither of these two: where a program has not loaded them, to load
// them takes longer than to load a replacement library. So the references are weak, and they are
// bound to the versions of glibc 2.2.5, which every libc.so.6 since 2.34 has beside the new ones.
// Where the loader finds nothing for such a reference, TORCHADA_LATE finds the function when it is
// called.
//
// A linker of an older system refuses these versions, because no library there has them. What is
// built there refers to no version: the loader binds such a reference to the oldest.
#pragma once

#include <features.h>

#include "src/shared/machine.h"

#if defined(__SANITIZE_THREAD__)
// For test builds: ThreadSanitizer's own dlopen has no version to bind to.
#define TORCHADA_OLD_GLIBC(name) static_assert(true)
#define TORCHADA_LATE_GLIBC(name) static_assert(true)
#define TORCHADA_LATE(library, name) torchada::itself(&name)
#else
#if __GLIBC_PREREQ(2, 34)
#define TORCHADA_OLD_GLIBC(name) __asm__(".symver " #name "," #name "@" TORCHADA_BASE_GLIBC)
#else
#define TORCHADA_OLD_GLIBC(name) static_assert(true)
#endif

#define TORCHADA_WEAK(name) _Pragma(#name)
// For a function that is called by TORCHADA_LATE only.
#define TORCHADA_LATE_GLIBC(name) \
  TORCHADA_OLD_GLIBC(name);       \
  TORCHADA_WEAK(weak name)

// The function `name`, of the file `library` in glibc before 2.34. Null if there is none.
#define TORCHADA_LATE(library, name)                         \
  (&(name) ? &(name) : [] {                                  \
    static void* kept;                                       \
    return reinterpret_cast<decltype(&(name))>(              \
        torchada::find_in_old_glibc(library, #name, &kept)); \
  }())
#endif

namespace torchada {

// `kept` is where the answer is kept if there is one; threads that race find the same. Never asks
// the loader in a child of fork() that inherited it half done.
void* find_in_old_glibc(const char* library, const char* name, void** kept);

template <typename Function>
Function* itself(Function* function) {
  return function;
}

}  // namespace torchada
