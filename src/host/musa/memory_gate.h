// Keeps memory mapped while anything uses it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace musa {

// Copies and fills share the gate; freeing memory closes it. A host function may run for any time
// and may wait for other processes, so nobody can wait for it with the gate closed. Instead, freed
// memory stays mapped until every host function that was running at that moment has ended. Host
// functions that start later cannot know the memory.
class MemoryGate {
 public:
  // For copies, fills and other short work.
  std::shared_lock<std::shared_mutex> enter() { return std::shared_lock(mutex_); }
  // Waits for active copies and fills.
  std::unique_lock<std::shared_mutex> close() { return std::unique_lock(mutex_); }

  void run_host_function(const std::function<void()>& function);
  // Calls `give_back`, with the gate closed, as soon as all host functions that run now have ended.
  void retire(std::function<void()> give_back);

 private:
  using Ticket = std::uint64_t;
  struct Retired {
    Ticket before;  // host functions with a smaller ticket may use it
    std::function<void()> give_back;
  };

  std::vector<std::function<void()>> take_ready();
  void call_closed(const std::vector<std::function<void()>>& actions);

  std::shared_mutex mutex_;
  std::mutex list_mutex_;
  Ticket next_ = 0;
  std::vector<Ticket> running_;  // oldest first
  std::deque<Retired> retired_;  // oldest first
};

}  // namespace musa
