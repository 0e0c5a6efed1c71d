// How long the streams of a process were busy with a device: one number that their threads change
// without a lock and that other processes read.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>

namespace musa {

// The same clock in all processes of the machine. Its unit, about half a microsecond, is never
// needed: utilisation is a quotient.
inline std::uint64_t busy_clock() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc() >> 10;
#else
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (static_cast<std::uint64_t>(now.tv_sec) * 1000000000 +
          static_cast<std::uint64_t>(now.tv_nsec)) >>
         9;
#endif
}

// A start adds kStarted less its time, an end adds its time less kStarted. So the number says how
// many pieces of work run, and how long all others took, and no reader can see half a change.
// It holds for fewer than 1024 busy streams, and for years.
constexpr std::uint64_t kStarted = std::uint64_t{1} << 53;

// The sum over all pieces of work until `now`, those that still run included.
inline std::uint64_t busy_until(std::uint64_t number, std::uint64_t now) {
  const std::uint64_t of_each = kStarted - now;
  const std::uint64_t running = (number + of_each / 2) / of_each;
  const auto sum = static_cast<std::int64_t>(number - running * of_each);
  return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
}

// Counts the time of its own life.
class Busy {
 public:
  explicit Busy(std::atomic<std::uint64_t>& number) : number_(number) {
    number_.fetch_add(kStarted - busy_clock(), std::memory_order_relaxed);
  }
  ~Busy() { number_.fetch_add(busy_clock() - kStarted, std::memory_order_relaxed); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<std::uint64_t>& number_;
};

}  // namespace musa
