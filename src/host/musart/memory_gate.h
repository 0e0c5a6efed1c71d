// Keeps memory in place while anything uses it.
#ifndef TORCHADA_HOST_MUSART_MEMORY_GATE_H_
#define TORCHADA_HOST_MUSART_MEMORY_GATE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <vector>

namespace musart {

// Copies and fills share the gate; taking memory away closes it. A host function may run for as
// long as it likes and wait for other processes, so nobody can wait for it with the gate closed:
// instead, memory that is taken away stays mapped until every host function that ran at that moment
// has ended. Those that start later cannot know of it.
class MemoryGate {
 public:
  // For copies and fills.
  std::shared_lock<std::shared_mutex> enter() { return std::shared_lock(mutex_); }
  // Waits for copies and fills under way.
  std::unique_lock<std::shared_mutex> close() { return std::unique_lock(mutex_); }

  void run_host_function(const std::function<void()>& function);
  // Calls `give_back`, with the gate closed, as soon as no host function is left that runs now.
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
  std::set<Ticket> running_;
  std::deque<Retired> retired_;  // oldest first
};

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_MEMORY_GATE_H_
