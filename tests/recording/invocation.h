// Calling a function of which nothing is known but its address.
#pragma once

#include <cstdint>

#include "recording.h"

namespace recording {

struct Invocation {
  recording_exchange exchange;
  // rbx r12 r13 r14 r15, which a callee gives back as it found them.
  std::uint64_t saved_before[5];
  std::uint64_t saved_after[5];
  std::uint64_t stack_moved;  // 0 where the callee returned with the stack as it was.
};

static_assert(offsetof(Invocation, saved_before) == RECORDING_SAVED_BEFORE);
static_assert(offsetof(Invocation, saved_after) == RECORDING_SAVED_AFTER);
static_assert(offsetof(Invocation, stack_moved) == RECORDING_STACK_MOVED);

extern "C" void recording_invoke(void* function, Invocation* invocation);

// Arguments that look random and are the same in every run: they depend on `name` and `round`
// alone. As pointers nearly all are non-canonical addresses, so that whoever reads through one
// crashes.
Invocation invocation_of(const char* name, unsigned round);

}  // namespace recording
