#include "facts.h"
#include "fallback.h"
#include "table.h"

// MCCL's version, in NCCL's numbering. Without MUSA the real library still answers; programs ask
// for it before they look for a device.
extern "C" int torchada_adapter_ncclGetVersion(int* version) {
  if (!version) return torchada::fail(static_cast<int>(torchada::cuda::ncclInvalidArgument));
  const int status = mcclGetVersion(version);
  if (status != torchada::torchada_library.no_backend) return status;
  *version = torchada::kRecorded_ncclGetVersion;
  return 0;
}
