// The driver's version in CUDA's numbering: MUSA's number of its own driver says nothing to a CUDA
// program. It is told without a device, too, as by NVIDIA's driver.
#include "stubs/adapting/cuda_version.h"
#include "stubs/reporting/fallback.h"

extern "C" int torchada_adapter_cuDriverGetVersion(int* version) {
  if (!version) return torchada::fail(torchada::kInvalid);
  *version = torchada::driver_version();
  return 0;
}
