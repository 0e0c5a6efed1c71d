#include "src/host/mtml/watcher.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "src/host/musa/busy_time.h"

namespace mtml {
namespace {

// What a process kept the device busy until the clock stood there, in units of that clock.
std::uint64_t busy_of(const std::vector<musa::SharedAccount::Use>& uses, std::uint64_t owner,
                      std::uint64_t clock) {
  const auto found = std::ranges::find(uses, owner, &musa::SharedAccount::Use::owner);
  return found == uses.end() ? 0 : musa::busy_until(found->busy, clock);
}

}  // namespace

Watcher::Look Watcher::look_now() {
  Look look;
  look.uses = account_.uses();
  look.busy_clock = musa::busy_clock();  // not before: work that started since would seem endless
  look.when = Clock::now();
  return look;
}

void Watcher::note(Look look) {
  while (!looks_.empty() && look.when - looks_.front().when > kLongest) looks_.pop_front();
  if (looks_.empty() || look.when - looks_.back().when >= kWindow) {
    looks_.push_back(std::move(look));
  }
}

const Watcher::Look* Watcher::before(Clock::time_point now) const {
  for (auto look = looks_.rbegin(); look != looks_.rend(); ++look) {
    if (now - look->when >= kWindow) return &*look;
  }
  return nullptr;
}

void Watcher::look() {
  const std::lock_guard lock(mutex_);
  if (account_.is_shared()) note(look_now());
}

std::optional<std::uint64_t> Watcher::memory_in_use(int device) {
  const std::lock_guard lock(mutex_);
  if (!account_.is_shared()) return std::nullopt;
  std::uint64_t sum = 0;
  for (const auto& use : account_.uses()) {
    if (use.device == device && __builtin_add_overflow(sum, use.bytes, &sum)) return UINT64_MAX;
  }
  return sum;
}

std::optional<unsigned int> Watcher::utilization(int device) {
  const std::lock_guard lock(mutex_);
  if (!account_.is_shared()) return std::nullopt;
  Look now = look_now();
  note(now);
  if (before(now.when) == nullptr) {
    std::this_thread::sleep_until(looks_.back().when + kWindow);
    now = look_now();
  }
  const Look& then = *before(now.when);
  const std::uint64_t elapsed = now.busy_clock - then.busy_clock;
  std::uint64_t busy = 0;
  for (const auto& use : now.uses) {
    if (use.device != device) continue;
    const std::uint64_t until_now = musa::busy_until(use.busy, now.busy_clock);
    const std::uint64_t until_then = busy_of(then.uses, use.owner, then.busy_clock);
    // Whatever the entry says, nobody keeps the device busier than all the time.
    if (until_now > until_then) busy += std::min(until_now - until_then, elapsed);
  }
  return static_cast<unsigned int>(std::min(busy, elapsed) * 100 /
                                   std::max<std::uint64_t>(elapsed, 1));
}

}  // namespace mtml
