// What is reported at the end of a process besides the summary: memory that was not freed.
#pragma once

#include "src/companion/trace/allocations.h"
#include "src/companion/trace/values.h"

namespace torchada::trace {

void write_memory(Buffer* out, bool as_json, const MemoryReport& report);

}  // namespace torchada::trace
