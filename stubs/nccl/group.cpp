// Groups are MCCL's. They are counted because adapters that take several steps cannot run while
// MCCL only collects calls; see split.cpp and shrink.cpp.
#include "stubs/nccl/group.h"

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/report.h"
#include "stubs/resolving/coverage.h"
#include "stubs/system/thread_count.h"

namespace {

torchada::ThreadCount groups;  // Open in this thread.

}  // namespace

bool torchada::nccl::in_group() { return groups.get() > 0; }

int torchada::nccl::refuse_in_group(const char* function, uint8_t* said) {
  if (!in_group()) return 0;
  constexpr int kInvalidUsage = static_cast<int>(cuda::ncclInvalidUsage);
  Line line;
  line
      << function
      << " is not supported between ncclGroupStart and ncclGroupEnd: MCCL is not known to have it, "
         "and the calls that replace it cannot wait for the end of the group; call it outside the "
         "group; returning ncclInvalidUsage ("
      << kInvalidUsage << ")";
  report_once(said, line);
  return fail(kInvalidUsage);
}

extern "C" int torchada_adapter_ncclGroupStart() {
  const uintptr_t open = groups.get();
  if (!groups.set(open + 1)) return static_cast<int>(torchada::cuda::ncclSystemError);
  const int status = mcclGroupStart();
  if (status == 0) return 0;
  groups.set(open);
  // As in NCCL, a group needs no device.
  return torchada::has_backend() ? status : 0;
}

extern "C" int torchada_adapter_ncclGroupEnd() {
  // The group is over, whatever mcclGroupEnd returns.
  if (const uintptr_t open = groups.get()) groups.set(open - 1);
  const int status = mcclGroupEnd();
  return status == 0 || torchada::has_backend()
             ? status
             : static_cast<int>(torchada::cuda::ncclInvalidUsage);
}
