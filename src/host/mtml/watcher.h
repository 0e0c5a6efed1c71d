// What the shared account says, and what it said before.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "src/host/musa/shared_account.h"

namespace mtml {

// Safe to use from several threads.
class Watcher {
 public:
  explicit Watcher(const std::string& account) : account_(account) {}

  std::optional<std::uint64_t> memory_in_use(int device);
  std::optional<unsigned int> utilization(int device);
  // Notes what the account says now, unless it did so just before.
  void look();
  // Held by all of these.
  std::mutex& mutex() { return mutex_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Look {
    Clock::time_point when;
    std::uint64_t busy_clock = 0;
    std::vector<musa::SharedAccount::Use> uses;
  };
  // Over this time utilisation is measured, at least.
  static constexpr std::chrono::milliseconds kWindow{50};
  // An older look is forgotten.
  static constexpr std::chrono::seconds kLongest{1};

  Look look_now();
  void note(Look look);
  // The last look that is old enough; null if there is none.
  const Look* before(Clock::time_point now) const;

  std::mutex mutex_;
  musa::SharedAccount account_;
  std::deque<Look> looks_;  // oldest first
};

}  // namespace mtml
