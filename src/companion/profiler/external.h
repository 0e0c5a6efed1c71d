// Numbers of the program's own that records of a thread's calls carry.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "src/shared/profiler_interface.h"

namespace torchada::profiler {

void push_external(std::uint32_t kind, std::uint64_t id);
// False if the thread has none of this kind.
bool pop_external(std::uint32_t kind, std::uint64_t* id);
// Of the calling thread, the last one of each kind: {kind, id}.
std::vector<std::pair<std::uint32_t, std::uint64_t>> externals();

}  // namespace torchada::profiler
