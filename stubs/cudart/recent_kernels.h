// Kernels that the program used lately, found without a lock: what makes launching one in a loop
// cheap. An entry is believed until anything is registered or unregistered, or a context is
// forgotten.
#pragma once

#include <stdint.h>

#include "stubs/cudart/registered_code.h"
#include "stubs/kernels/code.h"

namespace torchada {

struct RecentKernel {
  const void* host;     // What the program calls it by.
  const void* context;  // Where MUSA has it.
  void* function;       // MUSA's handle there.
};

// Grows whenever an address may have got another meaning, or a handle may have lost its own.
inline uint64_t code_generation() {
  return __atomic_load_n(&registered_generation, __ATOMIC_RELAXED) +
         __atomic_load_n(&kernels::forgotten_contexts, __ATOMIC_RELAXED);
}

// Keeps a kernel that was found since code_generation() returned `generation`.
void note_recent(const RecentKernel& kernel, uint64_t generation);

// Whether any was ever noted. Most programs launch MUSA's own kernels only, and their guard asks.
extern bool has_recent_kernels;

bool find_noted(const void* host, RecentKernel* found);

// False if it is not known, or if another thread is noting one.
inline bool find_recent(const void* host, RecentKernel* found) {
  return __atomic_load_n(&has_recent_kernels, __ATOMIC_RELAXED) && find_noted(host, found);
}

}  // namespace torchada
