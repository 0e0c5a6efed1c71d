// Calls a function of which only the address is known.
#pragma once

#include <cstdint>

#include "tests/recording/recording.h"

namespace recording {

struct Invocation {
  recording_exchange exchange;
  // rbx r12 r13 r14 r15, which a callee must preserve.
  std::uint64_t saved_before[5];
  std::uint64_t saved_after[5];
  std::uint64_t stack_moved;  // 0 if the callee restored the stack.
};

static_assert(offsetof(Invocation, saved_before) == RECORDING_SAVED_BEFORE);
static_assert(offsetof(Invocation, saved_after) == RECORDING_SAVED_AFTER);
static_assert(offsetof(Invocation, stack_moved) == RECORDING_STACK_MOVED);

extern "C" void recording_invoke(void* function, Invocation* invocation);

// Arguments that look random but are the same in every run: they depend only on `name` and `round`.
// Nearly all are non-canonical addresses, so reading through one as a pointer crashes.
Invocation invocation_of(const char* name, unsigned round);

}  // namespace recording
