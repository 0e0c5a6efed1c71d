// Tells apart processes that had the same number.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace musa {

// The start time of the process; 0 if it has ended.
std::uint64_t start_of(pid_t pid);

}  // namespace musa
