// A signal handler may call CUDA. Inside the loader, or with a lock of the C library or the
// companion held, its call would meet lists half changed and locks that its own thread holds. So
// its signal waits until that work is done. Signals that report a fault of the thread itself never
// wait.
#pragma once

#include <signal.h>
#include <stdint.h>

#include "stubs/system/signal_mask.h"

namespace torchada {

// The kernel's mask is one word, with signal 1 in bit 0.
constexpr uint64_t bit_of_signal(int number) { return uint64_t{1} << (number - 1); }

// A fault must reach its handler, and the C library uses the first two real-time signals for
// itself.
constexpr uint64_t kNeverHeld =
    bit_of_signal(SIGSEGV) | bit_of_signal(SIGBUS) | bit_of_signal(SIGFPE) | bit_of_signal(SIGILL) |
    bit_of_signal(SIGTRAP) | bit_of_signal(SIGSYS) | bit_of_signal(SIGABRT) |
    bit_of_signal(SIGKILL) | bit_of_signal(SIGSTOP) | bit_of_signal(32) | bit_of_signal(33);

// For work of any length: dlopen runs MUSA's constructors. Only signals that have a handler wait.
// Others keep their effect: Ctrl-C still ends a program that hangs. May be nested. Keeps errno.
class HandlersHeld {
 public:
  HandlersHeld();
  ~HandlersHeld();
  HandlersHeld(const HandlersHeld&) = delete;
  HandlersHeld& operator=(const HandlersHeld&) = delete;

 private:
  uint64_t held_;  // Signals, one bit each, that this object made wait.
};

// For short work that runs no code of the program or of MUSA: all signals wait. Two system calls,
// where HandlersHeld makes sixty. Keeps errno.
class SignalsHeld {
 public:
  SignalsHeld() : before_(change_signal_mask(SIG_BLOCK, ~kNeverHeld)) {}
  ~SignalsHeld() { change_signal_mask(SIG_SETMASK, before_); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  uint64_t before_;
};

}  // namespace torchada
