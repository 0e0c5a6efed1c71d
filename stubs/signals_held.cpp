#include "stubs/signals_held.h"

#include <errno.h>
#include <signal.h>

namespace torchada {
namespace {

constexpr int kSignals = 64;  // Of the kernel.

// The signals that have a handler and may be held.
__attribute__((noinline)) uint64_t handled() {
  const int saved_errno = errno;
  uint64_t out = 0;
  for (int number = 1; number <= kSignals; ++number) {
    struct sigaction action;
    if ((kNeverHeld & bit_of_signal(number)) != 0 || sigaction(number, nullptr, &action) != 0)
      continue;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) out |= bit_of_signal(number);
  }
  errno = saved_errno;
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
