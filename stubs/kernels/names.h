// The names of kernels and variables that are asked for (code.h), by their numbers.
#pragma once

#include <stdint.h>

#include "stubs/kernels/code.h"
#include "stubs/system/fork_safe_lock.h"

namespace torchada::kernels {

struct Name {
  const char* text;    // Never moves: programs get it, too.
  const char* source;  // Never moves. Empty if it is not known.
  Origin origin;       // Without the source.
  size_t own;          // Not 0: for one place alone, because a later module may have its address.
  uint32_t hash;
  Kind kind;
  bool told;  // A line says that several libraries have it.
  const void* host;
  bool recorded;
  size_t made;          // Of an image that was made for it, one more than its place in `made`.
  const char* failure;  // Why none could be made. Never moves. Null if none was asked for.
  int64_t process;      // Whose thread waits for it to be made; 0 if none does.
  int64_t thread;
};

// Held whenever one looks at what code.h, names.h, made.h and loaded.h are about. Not while MUSA is
// called.
extern pthread_mutex_t mutex;
using Lock = ForkSafeLock<mutex>;

// The following with the lock held.
Name& name_of(uint32_t number);
size_t name_count();
// A copy for the lifetime of the process. Null without memory.
const char* keep_text(const char* text);

}  // namespace torchada::kernels
