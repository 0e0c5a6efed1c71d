// What contexts have loaded of the kernel libraries, and what was found in it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stubs/kernels/code.h"

namespace torchada::kernels {

enum class State : uint8_t { kUnknown, kMissing, kPresent };

struct Entry {
  void* function;
  unsigned long long address;
  size_t bytes;
  State state;
};

struct Module {
  void* handle;  // Null if it could not be loaded.
  bool tried;
  bool tells_sources;
};

// The context from which a search comes, and what `forgotten_contexts` was when it began.
struct Asker {
  const void* context;
  uint64_t seen;
};

// MUSA's number, which is CUDA's.
inline constexpr int kInvalidHandle = 400;

// What is known of the name. Sets `seen` to how many contexts are forgotten.
Entry known_entry(const void* context, uint32_t number, uint64_t* seen);

// Only kernels are kept. A variable is asked for again: its address would not show that another
// library has ended the context.
void keep(uint32_t number, const Asker& asker, const Entry& entry);

// The module of a file in the asker's context, which is the current one. None if it cannot be
// loaded; then `status` is set if no other can, either.
Module module_of(size_t number, const Asker& asker, int* status);

}  // namespace torchada::kernels
