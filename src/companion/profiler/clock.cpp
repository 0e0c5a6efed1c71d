#include "src/companion/profiler/clock.h"

#include <atomic>
#include <ctime>

namespace torchada::profiler {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::atomic<Clock> given{nullptr};

std::uint64_t read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

void set_clock(Clock clock) { given.store(clock, std::memory_order_release); }

std::uint64_t now() {
  const Clock clock = given.load(std::memory_order_acquire);
  return clock ? clock() : read(CLOCK_REALTIME);
}

Moment this_moment() {
  const std::uint64_t before = read(CLOCK_MONOTONIC);
  const std::uint64_t time = now();
  const std::uint64_t after = read(CLOCK_MONOTONIC);
  return {before + (after - before) / 2, time};
}

std::uint64_t time_at(std::uint64_t nanoseconds, const Moment& first, const Moment& second) {
  const auto elapsed = static_cast<double>(second.nanoseconds - first.nanoseconds);
  const auto counted = static_cast<double>(second.time - first.time);
  const double per_nanosecond = elapsed > 0 ? counted / elapsed : 1;
  const auto since =
      static_cast<double>(static_cast<std::int64_t>(nanoseconds - first.nanoseconds));
  return first.time + static_cast<std::uint64_t>(static_cast<std::int64_t>(since * per_nanosecond));
}

}  // namespace torchada::profiler
