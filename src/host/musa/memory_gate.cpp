#include "src/host/musa/memory_gate.h"

#include <algorithm>
#include <utility>

namespace musa {

std::vector<std::function<void()>> MemoryGate::take_ready() {
  std::vector<std::function<void()>> ready;
  while (!retired_.empty() && (running_.empty() || running_.front() >= retired_.front().before)) {
    ready.push_back(std::move(retired_.front().give_back));
    retired_.pop_front();
  }
  return ready;
}

void MemoryGate::call_closed(const std::vector<std::function<void()>>& actions) {
  if (actions.empty()) return;
  const auto closed = close();
  for (const auto& action : actions) action();
}

void MemoryGate::run_host_function(const std::function<void()>& function) {
  Ticket ticket = 0;
  {
    const std::lock_guard lock(list_mutex_);
    ticket = next_++;
    running_.push_back(ticket);
  }
  function();
  std::vector<std::function<void()>> ready;
  {
    const std::lock_guard lock(list_mutex_);
    running_.erase(std::ranges::find(running_, ticket));
    ready = take_ready();
  }
  call_closed(ready);
}

void MemoryGate::retire(std::function<void()> give_back) {
  std::vector<std::function<void()>> ready;
  {
    const std::lock_guard lock(list_mutex_);
    retired_.push_back({next_, std::move(give_back)});
    ready = take_ready();
  }
  call_closed(ready);
}

}  // namespace musa
