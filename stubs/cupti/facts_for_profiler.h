// What the profiler needs to know of this library's CUDA major.
#pragma once

#include "src/shared/profiler_interface.h"

namespace torchada::cupti {

profiler::Facts facts_for_profiler();

}  // namespace torchada::cupti
