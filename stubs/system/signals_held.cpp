#include "stubs/system/signals_held.h"

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "stubs/system/system_call.h"

namespace torchada {
namespace {

constexpr int kSignals = 64;  // Of the kernel.

// As the kernel has it. The C library's differs.
struct KernelAction {
  uintptr_t handler;  // 0 for SIG_DFL, 1 for SIG_IGN.
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
};

// The signals that have a handler and may be held.
__attribute__((noinline)) uint64_t handled() {
  uint64_t out = 0;
  for (int number = 1; number <= kSignals; ++number) {
    if ((kNeverHeld & bit_of_signal(number)) != 0) continue;
    KernelAction action;
    const int64_t answer = system_call(SYS_rt_sigaction, number, 0, &action, sizeof action.mask);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the kernel has written it.
    if (answer == 0 && action.handler > 1) out |= bit_of_signal(number);
  }
  return out;
}

}  // namespace

HandlersHeld::HandlersHeld() {
  const uint64_t wanted = handled();
  held_ = wanted == 0 ? 0 : wanted & ~change_signal_mask(SIG_BLOCK, wanted);
}

HandlersHeld::~HandlersHeld() {
  // Not the mask of before: a constructor of MUSA may have changed it for good.
  if (held_ != 0) change_signal_mask(SIG_UNBLOCK, held_);
}

}  // namespace torchada
