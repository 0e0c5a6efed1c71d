// A signal handler may call CUDA. Inside the loader, or with a lock of the C library or the
// companion held, its call would meet lists half changed and locks that its own thread holds. So
// its signal waits until that work is done. Signals that report a fault of the thread itself never
// wait.
#pragma once

#include <stdint.h>

namespace torchada {

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
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  uint64_t before_;
};

}  // namespace torchada
