// Signals that a kernel's own mistakes raise: SIGSEGV, SIGBUS, SIGFPE and SIGILL. They end the
// kernel. All others go where the program wants them.
#pragma once

#include <cstdint>
#include <memory>

namespace musa {

// What the handler needs to know of a thread that runs kernels.
struct FaultGuard {
  // Where the thread goes on, on a stack that begins below `stack()`: null if no kernel runs.
  void (*escape)() = nullptr;
  void* (*stack)(void* owner) = nullptr;
  void* owner = nullptr;
  int signal = 0;            // what happened
  bool has_address = false;  // x86 does not tell one that no program can have
  void* address = nullptr;
  std::uint64_t mark = 0x6b65726e656c7321;  // by which it is known
};

// A stack for the handler, for the calling thread.
class SignalStack {
 public:
  explicit SignalStack(const FaultGuard& guard);
  ~SignalStack();

  FaultGuard& guard() { return *reinterpret_cast<FaultGuard*>(memory_.get()); }

 private:
  std::unique_ptr<unsigned char[]> memory_;
};

// Makes the process's handlers ours, unless they are. The program's are called for everything that
// is not a kernel's.
void watch_faults();

}  // namespace musa
