// The clock that the devices tell. clock() and clock64() of device code count it: nanoseconds,
// which pass at the same rate on every CPU (src/host/kernels/include/cuda/torchada_threads.h).
#pragma once

namespace musa {

constexpr int kClockKilohertz = 1000000;

}  // namespace musa
