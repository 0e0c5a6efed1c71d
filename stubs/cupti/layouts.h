#pragma once

#include "src/shared/profiler_interface.h"

namespace torchada::cupti {

// The records of this library's CUDA major. A program may know older ones: CUPTI's releases have
// only appended members to those that are written here (tests/profiler compares them).
profiler::Layouts layouts();

}  // namespace torchada::cupti
