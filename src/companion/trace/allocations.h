// Memory that the program allocated and did not free, and which calls did.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "src/companion/trace/traced.h"

namespace torchada::trace {

// What a function does to memory; null if nothing.
const AllocationRule* allocation_rule(const char* function);
bool frees(const AllocationRule& rule);

struct Leak {
  std::string function;  // The function that allocated.
  std::string caller;    // Where it was called; see place_of_code.
  std::uint64_t count = 0, bytes = 0;
};

struct MemoryReport {
  std::uint64_t allocations = 0, frees = 0;  // Successful calls.
  std::uint64_t peak_bytes = 0, live_bytes = 0, live_count = 0;
  std::vector<Leak> leaks;  // Most bytes first.
};

class Allocations {
 public:
  // The state of a call that frees, from before the call. Another thread may get the address before
  // this call returns, so it is forgotten first; after_call restores it if the call fails.
  struct Pending {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    const Traced* function = nullptr;
    std::uint64_t caller = 0;
  };
  Pending before_call(const Call& call);
  // `caller` is where the program made the call, 0 if unknown.
  void after_call(const Call& call, const Pending& pending, std::uint64_t caller);

  MemoryReport report();

  void before_fork() { mutex_.lock(); }
  void after_fork(bool is_child);

 private:
  void add(const Pending& allocation);

  std::mutex mutex_;
  std::map<std::uint64_t, Pending> live_;
  MemoryReport counts_;
};

// Where the program made the call: the first frame outside this library.
std::uint64_t calling_address();

}  // namespace torchada::trace
