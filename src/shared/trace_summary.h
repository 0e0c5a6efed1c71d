// Totals of each function. Also compiled into the command, which adds up traces.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace torchada::trace {

struct FunctionTotal {
  std::string library, function;
  std::uint64_t calls = 0, errors = 0, nanoseconds = 0, longest = 0;
};

// Writes the functions that were called, the one with the most time first, below a line that begins
// with `who`, such as "process 4711".
void write_summary(fmt::memory_buffer* out, const std::string& who,
                   std::vector<FunctionTotal> totals);

// The same for programs: one JSON object, without a line feed. `process` is 0 for several
// processes.
void write_summary_json(fmt::memory_buffer* out, int process, std::vector<FunctionTotal> totals);

}  // namespace torchada::trace
