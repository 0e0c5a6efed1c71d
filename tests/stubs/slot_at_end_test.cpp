// The process ends while a first call is on its way: once the slot holds the fallback of the end,
// it never leads to MUSA again, not even for one instruction.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/stubs/probe_test.h"

#if defined(__x86_64__)

namespace {

std::atomic<bool> waits_in_backend{false}, is_in_backend{false}, has_ended{false}, is_done{false};
std::atomic<int> steps{0}, wrong{0}, answer{0};
void* cold;
void* slot_after_end;

void after_each_instruction(int) {
  steps.fetch_add(1, std::memory_order_relaxed);
  if (probe_slot_of_old_only() != slot_after_end) wrong.fetch_add(1, std::memory_order_relaxed);
}

// The trap flag: SIGTRAP comes after each instruction of this thread.
void step_by_step() { __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc"); }
void run_freely() { __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc"); }

// Registered before MUSA was opened, so it runs after the handler of the replacement library.
void finish() {
  slot_after_end = probe_slot_of_old_only();
  if (slot_after_end == cold) _exit(2);
  has_ended = true;
  while (!is_done) usleep(100);
  if (answer != kProbeUnloading) _exit(3);
  if (steps < 10) _exit(4);
  _exit(wrong == 0 ? 0 : 5);
}

void end_during_a_first_call() {
  setenv("PROBE_VERSION", "40000", 1);
  signal(SIGTRAP, after_each_instruction);
  atexit(finish);
  if (probe_add(1, 2) != 3) _exit(6);
  cold = probe_slot_of_old_only();
  waits_in_backend = true;
  std::thread([] {
    answer = probe_old_only();
    run_freely();
    is_done = true;
  }).detach();
  while (!is_in_backend) usleep(100);
  exit(7);
}

TEST(SlotAtEnd, NeverLeadsToMusaAgain) { EXPECT_EQ(child_status(end_during_a_first_call), 0); }

// The same without an end.
TEST(SlotAtEnd, OfAnSdkThatHasIt) {
  setenv("PROBE_VERSION", "40000", 1);
  EXPECT_EQ(probe_old_only(), 1);
}

}  // namespace

// The backend calls this while the resolver asks it for its version.
extern "C" void probe_test_while_asked_for_version() {
  if (!waits_in_backend) return;
  is_in_backend = true;
  while (!has_ended) usleep(100);
  step_by_step();
}

#endif
