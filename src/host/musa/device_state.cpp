#include "src/host/musa/device_state.h"

#include <algorithm>

namespace musa {

std::size_t DeviceState::left_by_others() const {
  return memory - std::min(memory, account_.used_by_others(physical_index));
}

bool DeviceState::reserve_memory(std::size_t bytes) {
  const std::lock_guard lock(account_mutex_);
  if (bytes > memory - in_use_) return false;
  const std::size_t wanted = in_use_ + bytes;
  // First announced, then checked: another process that does the same sees it.
  account_.publish(physical_index, wanted);
  const auto fits = [&] { return wanted <= left_by_others(); };
  const bool granted = fits() || (account_.remove_ended() && fits());
  if (granted) in_use_ = wanted;
  if (!granted) account_.publish(physical_index, in_use_);
  return granted;
}

void DeviceState::release_memory(std::size_t bytes) {
  const std::lock_guard lock(account_mutex_);
  in_use_ -= bytes;
  account_.publish(physical_index, in_use_);
}

std::size_t DeviceState::shared_free_memory() const {
  std::size_t left = left_by_others();
  // What processes had that have ended is free.
  if (left != memory && account_.remove_ended()) left = left_by_others();
  return left - std::min(left, in_use_.load());
}

std::atomic<std::uint64_t>& DeviceState::busy_time() {
  if (auto* const known = busy_time_.load(std::memory_order_acquire)) return *known;
  const std::lock_guard lock(account_mutex_);
  auto& found = account_.busy_time(physical_index);
  busy_time_.store(&found, std::memory_order_release);
  return found;
}

}  // namespace musa
