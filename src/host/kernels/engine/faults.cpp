#include "src/host/kernels/engine/faults.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <new>

namespace musa {
namespace {

constexpr std::size_t kSignalStack = std::size_t{64} << 10;
constexpr std::uint64_t kGuardMark = 0x6b65726e656c7321;
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

// The start of a signal stack. The handler finds it by asking the kernel for its stack, which is
// safe in a thread of any kind.
struct Marked : FaultGuard {
  std::uint64_t mark = kGuardMark;
};

std::array<struct sigaction, NSIG> theirs_before;

Marked* guard_of_thread() {
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) == 0 ||
      stack.ss_size != kSignalStack - sizeof(Marked)) {
    return nullptr;
  }
  auto* const marked = static_cast<Marked*>(stack.ss_sp) - 1;
  return marked->mark == kGuardMark ? marked : nullptr;
}

void go_on_at(ucontext_t* context, void (*function)(), void* stack) {
  const auto top = reinterpret_cast<std::uintptr_t>(stack) & ~std::uintptr_t{15};
  auto& registers = context->uc_mcontext;
#if defined(__x86_64__)
  registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  registers.gregs[REG_RSP] = static_cast<greg_t>(top - 8);  // as after a call
#else
  registers.pc = reinterpret_cast<std::uintptr_t>(function);
  registers.sp = top;
#endif
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
  Marked* const guard = guard_of_thread();
  // A code of 0 or less: another process or thread sent it.
  if (guard == nullptr || info->si_code <= 0 || !guard->running(guard->owner)) {
    return pass_on(number, info, context);
  }
  guard->signal = number;
  guard->address = info->si_addr;
  go_on_at(static_cast<ucontext_t*>(context), guard->escape, guard->stack(guard->owner));
}

}  // namespace

SignalStack::SignalStack(const FaultGuard& guard)
    : memory_(
          mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  auto* const marked = new (memory_) Marked;
  static_cast<FaultGuard&>(*marked) = guard;
  stack_t stack{};
  stack.ss_sp = marked + 1;
  stack.ss_size = kSignalStack - sizeof(Marked);
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
  munmap(memory_, kSignalStack);
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
