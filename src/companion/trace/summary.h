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

// Functions that were called, those that took most time first, below a line that begins with
// `who`, as "process 4711".
void write_summary(fmt::memory_buffer* out, const std::string& who,
                   std::vector<FunctionTotal> totals);

// The same for programs: one object, without a line feed. `process` 0: of several.
void write_summary_json(fmt::memory_buffer* out, int process, std::vector<FunctionTotal> totals);

}  // namespace torchada::trace
