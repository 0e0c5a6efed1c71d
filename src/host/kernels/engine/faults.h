// Signals that a kernel's own mistakes raise: SIGSEGV, SIGBUS, SIGFPE and SIGILL. They end the
// kernel. All others go where the program wants them.
#pragma once

#include <cstddef>

namespace musa {

// What the handler needs to know of a thread that runs kernels.
struct FaultGuard {
  bool (*running)(void* owner) = nullptr;  // whether a kernel runs
  // Where the thread goes on, on a stack that begins below `stack()`.
  void (*escape)() = nullptr;
  void* (*stack)(void* owner) = nullptr;
  void* owner = nullptr;
  int signal = 0;  // what happened
  void* address = nullptr;
};

// A stack for the handler, for the calling thread.
class SignalStack {
 public:
  explicit SignalStack(const FaultGuard& guard);
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

  FaultGuard& guard() { return *static_cast<FaultGuard*>(memory_); }

 private:
  void* memory_;
};

// Makes the process's handlers ours, unless they are. The program's are called for everything that
// is not a kernel's.
void watch_faults();

}  // namespace musa
