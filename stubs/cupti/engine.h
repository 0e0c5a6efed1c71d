// The companion's profiler, which does the work of this library.
#pragma once

#include "facts.h"
#include "src/shared/profiler_interface.h"
#include "stubs/table.h"

namespace torchada::cupti {

// Null if the companion is missing, or if it works for a CUPTI of another CUDA major; one line says
// so.
const profiler::Engine* engine();

// CUPTI's status.
int status_of(profiler::Outcome outcome);

// What `call`, which takes the engine, returns.
template <typename Call>
int by_engine(Call call) {
  const profiler::Engine* const found = engine();
  return found ? status_of(call(*found)) : static_cast<int>(cuda::CUPTI_ERROR_NOT_INITIALIZED);
}

}  // namespace torchada::cupti
