#include "src/host/kernels/engine/faults.h"

#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <new>

namespace musa {
namespace {

// No other stack has this size.
constexpr std::size_t kSignalStack = (std::size_t{64} << 10) + sizeof(FaultGuard);
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

std::array<struct sigaction, NSIG> theirs_before;

// It lies before the stack. The handler asks the kernel for the stack, which is safe in a thread of
// any kind.
FaultGuard* guard_of_thread() {
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) == 0 ||
      stack.ss_size != kSignalStack) {
    return nullptr;
  }
  auto* const guard = static_cast<FaultGuard*>(stack.ss_sp) - 1;
  return guard->mark == FaultGuard().mark ? guard : nullptr;
}

void go_on_at(ucontext_t* context, void (*function)(), void* stack) {
  const auto top = reinterpret_cast<std::uintptr_t>(stack) & ~std::uintptr_t{15};
  auto& registers = context->uc_mcontext;
  registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  registers.gregs[REG_RSP] = static_cast<greg_t>(top - 8);  // as after a call
}

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& theirs = theirs_before[number];
  if ((theirs.sa_flags & SA_SIGINFO) != 0) {
    theirs.sa_sigaction(number, info, context);
  } else if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN) {
    theirs.sa_handler(number);
  } else {
    // The instruction runs again and ends the process as it would have without us. A signal that
    // was sent comes again, too.
    signal(number, SIG_DFL);
    if (info->si_code <= 0) raise(number);
  }
}

void on_fault(int number, siginfo_t* info, void* context) {
  FaultGuard* const guard = guard_of_thread();
  // A code of 0 or less: another process or thread sent it.
  void* const stack = guard != nullptr && info->si_code > 0 ? guard->stack(guard->owner) : nullptr;
  if (stack == nullptr) return pass_on(number, info, context);
  guard->signal = number;
  guard->has_address = info->si_code != SI_KERNEL;
  guard->address = info->si_addr;
  go_on_at(static_cast<ucontext_t*>(context), guard->escape, stack);
}

}  // namespace

SignalStack::SignalStack(const FaultGuard& guard)
    : memory_(new unsigned char[sizeof(FaultGuard) + kSignalStack]) {
  stack_t stack{};
  stack.ss_sp = new (memory_.get()) FaultGuard(guard) + 1;
  stack.ss_size = kSignalStack;
  sigaltstack(&stack, nullptr);
  // Threads of ours begin with all signals blocked. A fault would end the process there.
  sigset_t faults;
  sigemptyset(&faults);
  for (const int number : kSignals) sigaddset(&faults, number);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
}

SignalStack::~SignalStack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

void watch_faults() {
  static auto* const mutex = new std::mutex;
  const std::lock_guard lock(*mutex);
  for (const int number : kSignals) {
    struct sigaction present {};
    sigaction(number, nullptr, &present);
    if ((present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_fault) continue;
    theirs_before[number] = present;
    struct sigaction ours {};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(number, &ours, nullptr);
  }
}

}  // namespace musa
