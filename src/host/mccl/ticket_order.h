#pragma once

#include <atomic>
#include <cstdint>

namespace host_mccl {

// Lets work pass in the order in which it took tickets.
class TicketOrder {
 public:
  std::uint64_t take(std::uint64_t count = 1) { return issued_.fetch_add(count); }
  // Returns the last tickets unused. Nobody may have taken one since.
  void give_back(std::uint64_t count) { issued_.fetch_sub(count); }

  bool is_turn_of(std::uint64_t ticket) const {
    return served_.load(std::memory_order_acquire) == ticket;
  }
  void done(std::uint64_t count = 1) { served_.fetch_add(count, std::memory_order_release); }

 private:
  std::atomic<std::uint64_t> issued_{0};
  std::atomic<std::uint64_t> served_{0};
};

}  // namespace host_mccl
