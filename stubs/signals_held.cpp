#include "stubs/signals_held.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace torchada {
namespace {

constexpr int kSignals = 64;  // Of the kernel. Its masks are one word, with signal 1 in bit 0.

constexpr uint64_t bit(int number) { return uint64_t{1} << (number - 1); }

// Never held: a fault must reach its handler, and the C library uses the first two real-time
// signals for itself.
constexpr uint64_t kNeverHeld = bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) |
                                bit(SIGTRAP) | bit(SIGSYS) | bit(SIGABRT) | bit(SIGKILL) |
                                bit(SIGSTOP) | bit(32) | bit(33);

// Changes the mask of this thread and returns what it was. By number: the C library's own types are
// sixteen times as large, and lie on the stack beneath dlopen.
uint64_t change_mask(int how, uint64_t mask) {
  const int saved_errno = errno;
  uint64_t before = 0;
  syscall(SYS_rt_sigprocmask, how, &mask, &before, sizeof mask);
  errno = saved_errno;
  return before;
}

// The signals that have a handler and may be held.
__attribute__((noinline)) uint64_t handled() {
  const int saved_errno = errno;
  uint64_t out = 0;
  for (int number = 1; number <= kSignals; ++number) {
    struct sigaction action;
    if ((kNeverHeld & bit(number)) != 0 || sigaction(number, nullptr, &action) != 0) continue;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) out |= bit(number);
  }
  errno = saved_errno;
  return out;
}

}  // namespace

HandlersHeld::HandlersHeld() {
  const uint64_t wanted = handled();
  held_ = wanted == 0 ? 0 : wanted & ~change_mask(SIG_BLOCK, wanted);
}

HandlersHeld::~HandlersHeld() {
  // Not the mask of before: a constructor of MUSA may have changed it for good.
  if (held_ != 0) change_mask(SIG_UNBLOCK, held_);
}

SignalsHeld::SignalsHeld() : before_(change_mask(SIG_BLOCK, ~kNeverHeld)) {}

SignalsHeld::~SignalsHeld() { change_mask(SIG_SETMASK, before_); }

}  // namespace torchada
