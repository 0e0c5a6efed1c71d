// First calls that are disturbed: by a signal handler that calls CUDA too, on the same thread, and
// by a fork() of another thread. Each is served or refused; none crashes or waits for ever.
//
// Every trial is a process of its own, because a first call happens once.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/stubs/patient_child.h"
#include "tests/stubs/probe.h"
#include "tests/stubs/probe_tables.h"

extern "C" void* __libc_malloc(size_t size);
extern "C" void* __libc_calloc(size_t count, size_t size);

namespace {

// What every malloc and calloc of the process does first. dlopen calls them where its lists are
// half changed.
std::atomic<void (*)()> in_malloc{nullptr};
std::atomic<int> raised{0};

void raise_signal() {
  raised.fetch_add(1, std::memory_order_relaxed);
  raise(SIGUSR1);
}

// What the trial saw; anything but 0 is wrong.
volatile sig_atomic_t wrong = 0;
volatile sig_atomic_t handled = 0;

// 0 if `got` is right, or if the call may be refused and was.
int mistake(int got, int right, bool may_be_refused) {
  return got == right || (may_be_refused && got == kProbeForked) ? 0 : 1;
}

// First calls of every kind: served, of another library, adapted, refused, missing.
int first_calls(bool may_be_refused) {
  int wrong_ones = mistake(probe_add(20, 3), 23, may_be_refused);
  wrong_ones += mistake(probe_sibling(), 7, may_be_refused);
  const int adapted = probe_adapted(1);
  if (adapted != 1002 && !(may_be_refused && adapted == 1000 + kProbeForked)) ++wrong_ones;
  wrong_ones += mistake(probe_refused(), kProbeUnsupported, may_be_refused);
  wrong_ones += mistake(probe_absent(), kProbeUnsupported, may_be_refused);
  return wrong_ones;
}

void handle(int) {
  handled = handled + 1;
  if (first_calls(false) != 0) wrong = 1;
}

void handle_with(void (*handler)(int), int number) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

// The handler comes in the middle of every malloc that dlopen makes.
TEST(Interrupted, ByAHandlerInsideTheLoader) {
  EXPECT_EQ(status_of([] {
              handle_with(handle, SIGUSR1);
              in_malloc = raise_signal;
              const int wrong_ones = first_calls(false);
              in_malloc = nullptr;
              if (raised == 0) return 101;   // The loader did not call malloc.
              if (handled == 0) return 102;  // The signal was lost.
              return wrong_ones + wrong;
            }),
            0);
}

// A handler at any time, as of a profiler. The timer goes round the range of times that an opening
// takes.
TEST(Interrupted, ByATimerAtAnyTime) {
  for (int trial = 0; trial < 200; ++trial) {
    const int status = status_of([trial] {
      handle_with(handle, SIGALRM);
      const auto microseconds = static_cast<suseconds_t>(50 + trial * 7 % 400);
      const itimerval often = {{0, microseconds}, {0, microseconds}};
      setitimer(ITIMER_REAL, &often, nullptr);
      const int wrong_ones = first_calls(false);
      const itimerval never = {};
      setitimer(ITIMER_REAL, &never, nullptr);
      return wrong_ones + wrong;
    });
    ASSERT_EQ(status, 0) << "trial " << trial;
  }
}

// What a signal does that has no handler must not wait: Ctrl-C ends a program whose MUSA hangs.
TEST(Interrupted, SignalWithoutHandlerStillEndsTheProgram) {
  EXPECT_EQ(status_of([] {
              handle_with(SIG_DFL, SIGUSR1);
              in_malloc = raise_signal;
              return first_calls(false) + 100;
            }),
            -SIGUSR1);
}

// The mask is afterwards what it was.
TEST(Interrupted, TheMaskIsLeftAsItWas) {
  EXPECT_EQ(status_of([] {
              handle_with(handle, SIGUSR1);
              handle_with(handle, SIGUSR2);
              sigset_t before, after;
              sigemptyset(&before);
              sigaddset(&before, SIGUSR2);
              sigaddset(&before, SIGTERM);
              sigprocmask(SIG_SETMASK, &before, nullptr);
              sigprocmask(SIG_SETMASK, nullptr, &before);
              const int wrong_ones = first_calls(false);
              sigprocmask(SIG_SETMASK, nullptr, &after);
              for (int number = 1; number < NSIG; ++number) {
                if (sigismember(&before, number) != sigismember(&after, number)) return 100;
              }
              return wrong_ones;
            }),
            0);
}

// A thread opens MUSA; another one forks at the malloc of that number which dlopen makes there.
int fork_at(int number) {
  static std::atomic<int> state{0};  // 1: at that malloc, 2: forked, 3: it never came.
  static std::atomic<int> left;
  static pthread_t the_opener;
  left = number;
  std::thread opener([] {
    the_opener = pthread_self();
    in_malloc = [] {
      if (pthread_equal(pthread_self(), the_opener) == 0 || left-- != 0) return;
      state = 1;
      while (state != 2) usleep(100);
    };
    probe_add(1, 2);
    if (state == 0) state = 3;
  });
  while (state == 0) usleep(100);
  const int status = state == 1 ? status_of([] { return first_calls(true); }) : 0;
  if (state == 1) state = 2;
  opener.join();
  return passed_on(status);
}

TEST(Interrupted, ByAForkInsideTheLoader) {
  for (int number = 0; number < 32; ++number) {
    ASSERT_EQ(status_of([number] { return fork_at(number); }), 0) << "at malloc " << number;
  }
}

// Children and grandchildren, forked at any moment of an opening.
TEST(Interrupted, ByForksAtAnyTime) {
  for (int trial = 0; trial < 100; ++trial) {
    const int status = status_of([] {
      std::atomic<bool> stop{false};
      std::thread opener([&stop] {
        first_calls(true);
        stop = true;
      });
      int wrong_ones = 0;
      do {
        const int of_child = status_of([] {
          // The child has one thread; a second one of its own opens while it forks in turn.
          std::thread again([] { first_calls(true); });
          const int of_grandchild = status_of([] { return first_calls(true); });
          again.join();
          return passed_on(of_grandchild, 50);
        });
        if (of_child != 0) wrong_ones = passed_on(of_child);
      } while (!stop && wrong_ones == 0);
      opener.join();
      return wrong_ones;
    });
    ASSERT_EQ(status, 0) << "trial " << trial;
  }
}

}  // namespace

extern "C" void* malloc(size_t size) {
  if (auto* const first = in_malloc.load(std::memory_order_relaxed)) first();
  return __libc_malloc(size);
}

extern "C" void* calloc(size_t count, size_t size) {
  if (auto* const first = in_malloc.load(std::memory_order_relaxed)) first();
  return __libc_calloc(count, size);
}
