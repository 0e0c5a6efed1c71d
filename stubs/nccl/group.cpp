// Groups are MCCL's. They are counted because adapters that take several steps cannot run while
// MCCL only collects calls; see split.cpp.
#include "facts.h"
#include "stubs/coverage.h"
#include "stubs/thread.h"

extern "C" int torchada_adapter_ncclGroupStart() {
  const int status = mcclGroupStart();
  if (status == 0) {
    ++torchada::torchada_thread.groups;
    return 0;
  }
  // As in NCCL, a group needs no device.
  return torchada::has_backend() ? status : 0;
}

extern "C" int torchada_adapter_ncclGroupEnd() {
  // The group is over, whatever mcclGroupEnd returns.
  if (torchada::torchada_thread.groups > 0) --torchada::torchada_thread.groups;
  const int status = mcclGroupEnd();
  return status == 0 || torchada::has_backend()
             ? status
             : static_cast<int>(torchada::cuda::ncclInvalidUsage);
}
