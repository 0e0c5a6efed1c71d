// The clock of all records: the one that the program gave, else the system's in nanoseconds.
#pragma once

#include <cstdint>

#include "src/shared/profiler_interface.h"

namespace torchada::profiler {

void set_clock(Clock clock);
std::uint64_t now();

// One moment on both clocks. The program's may count other units, such as processor cycles.
struct Moment {
  std::uint64_t nanoseconds;  // CLOCK_MONOTONIC.
  std::uint64_t time;         // now()
};
Moment this_moment();

// What now() was, or will be, at a time of CLOCK_MONOTONIC, by two moments.
std::uint64_t time_at(std::uint64_t nanoseconds, const Moment& first, const Moment& second);

}  // namespace torchada::profiler
