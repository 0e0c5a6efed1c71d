// ncclGetVersion: MCCL uses NCCL's numbers, but has fewer functions than the NCCL of the same
// number, and programs choose functions by the number. So the answer is the newest NCCL release
// that is not newer than MCCL and whose declared functions can all be served here.
#include "facts.h"
#include "stubs/adapting/version_override.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/coverage.h"

namespace {

using torchada::Introduction;
using torchada::Version;

constexpr int kNoLimit = 0x7fffffff;

int newest_served() {
  for (const Introduction& step : torchada::kIntroductions) {
    if (!torchada::resolves(step.symbol)) return step.before;
  }
  return kNoLimit;
}

// NCCL's own encoding, which has one digit less up to 2.8.
int code_of(const Version& version) {
  const bool is_short = version.major < 2 || (version.major == 2 && version.minor <= 8);
  return version.major * (is_short ? 1000 : 10000) + version.minor * 100 + version.patch;
}

}  // namespace

// Without MUSA or in a child of fork() MCCL does not answer, but the real library would: programs
// ask for the version before they look for a device.
extern "C" int torchada_adapter_ncclGetVersion(int* version) {
  if (!version) return torchada::fail(static_cast<int>(torchada::cuda::ncclInvalidArgument));
  Version wanted;
  if (torchada::version_override("TORCHADA_NCCL_VERSION", &wanted)) {
    *version = code_of(wanted);
    return 0;
  }
  int own = 0;
  if (mcclGetVersion(&own) != 0) {
    *version = torchada::kRecorded_ncclGetVersion;
    return 0;
  }
  const int served = newest_served();
  *version = own < served ? own : served;
  return 0;
}
