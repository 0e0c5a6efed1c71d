// The way of functions that tell the driver's version in CUDA's numbering: MUSA's number of its own
// driver says nothing to a CUDA program. It is told without a device, too, as by NVIDIA's driver.
#pragma once

#include "stubs/adapting/cuda_version.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"

namespace torchada::via {

inline int driver_version(const Function& /*function*/, void* version) {
  if (!version) return fail(kInvalid);
  *static_cast<int*>(version) = torchada::driver_version();
  return 0;
}

}  // namespace torchada::via
