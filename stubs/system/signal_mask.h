// Sets the signal mask of the calling thread without the C library: the first call of each function
// does so twice, and the C library's own way costs several times the instructions.
#pragma once

#include <stdint.h>
#include <sys/syscall.h>

#include "stubs/system/system_call.h"

namespace torchada {

// `how` is SIG_BLOCK, SIG_UNBLOCK or SIG_SETMASK; signal 1 is bit 0. Returns the mask of before.
// Cannot fail with these arguments. Keeps errno.
inline uint64_t change_signal_mask(int how, uint64_t mask) {
  uint64_t before = 0;
  system_call(SYS_rt_sigprocmask, how, &mask, &before, sizeof before);
  return before;
}

}  // namespace torchada
