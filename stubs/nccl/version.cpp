#include "facts.h"
#include "fallback.h"

// MCCL's version, in NCCL's numbering. Where MCCL does not answer (no MUSA, a child of fork) the
// real library still would; programs ask for the version before they look for a device.
extern "C" int torchada_adapter_ncclGetVersion(int* version) {
  if (!version) return torchada::fail(static_cast<int>(torchada::cuda::ncclInvalidArgument));
  if (mcclGetVersion(version) != 0) *version = torchada::kRecorded_ncclGetVersion;
  return 0;
}
