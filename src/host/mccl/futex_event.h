// Waiting for another thread or process through a word of shared memory.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

namespace host_mccl {

// Signalled whenever its owner may have something new to look at. Zero-filled memory is a valid
// event.
class FutexEvent {
 public:
  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }

  void signal() {
    value_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) == 0) return;
    syscall(SYS_futex, &value_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }

  // Sleeps until someone has signalled since value() returned `seen`, at most 100 ms.
  void sleep(std::uint32_t seen) {
    constexpr timespec kWhile{0, 100'000'000};
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    syscall(SYS_futex, &value_, FUTEX_WAIT, seen, &kWhile, nullptr, 0);
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  }

 private:
  alignas(64) std::atomic<std::uint32_t> value_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

// Waits: spins briefly, then sleeps. There may be more ranks than processors, and other programs; a
// thread that only yields would run last.
class Backoff {
 public:
  void wait(FutexEvent& event, std::uint32_t seen) {
    ++tries_;
    if (tries_ < kSpins) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    } else {
      event.sleep(seen);
    }
  }
  void reset() { tries_ = 0; }

 private:
  static constexpr int kSpins = 50;
  int tries_ = 0;
};

}  // namespace host_mccl
