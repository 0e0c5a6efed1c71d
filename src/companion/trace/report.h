// What is told at the end of a process: totals of each function, and memory that is left.
#pragma once

#include "allocations.h"
#include "values.h"

namespace torchada::trace {

struct FunctionTotal {
  std::string library, function;
  std::uint64_t calls = 0, errors = 0, nanoseconds = 0, longest = 0;
};

FunctionTotal total_of(const char* library, const char* function, const Counters& counters);

// Functions that were called, those that took most time first.
void write_summary(Buffer* out, bool as_json, std::vector<FunctionTotal> totals);

void write_memory(Buffer* out, bool as_json, const MemoryReport& report);

}  // namespace torchada::trace
