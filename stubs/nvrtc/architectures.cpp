#include "stubs/nvrtc/architectures.h"

#include "facts.h"
#include "stubs/adapting/device_claims.h"
#include "stubs/reporting/fallback.h"

namespace torchada::nvrtc {

// The driver is asked, because it keeps no last error that a program could see.
int architectures(Architecture (&out)[kMaxArchitectures]) {
  int devices = 0;
  if (muInit(0) != 0 || muDeviceGetCount(&devices) != 0) return 0;
  int count = 0;
  for (int i = 0; i < devices; ++i) {
    int device = 0;
    int major = 0;
    int minor = 0;
    if (muDeviceGet(&device, i) != 0 || muDeviceComputeCapability(&major, &minor, device) != 0) {
      continue;
    }
    const Architecture found = {major_to_tell(major) * 10 + minor_to_tell(minor),
                                major * 10 + minor};
    int place = 0;
    while (place < count && out[place].told < found.told) ++place;
    const bool is_known = place < count && out[place].told == found.told;
    if (is_known || count == kMaxArchitectures) continue;
    for (int j = count; j > place; --j) out[j] = out[j - 1];
    out[place] = found;
    ++count;
  }
  return count;
}

}  // namespace torchada::nvrtc

extern "C" {

int torchada_adapter_nvrtcGetNumSupportedArchs(int* number) {
  if (!number) return torchada::fail(torchada::kInvalid);
  torchada::nvrtc::Architecture found[torchada::nvrtc::kMaxArchitectures];
  *number = torchada::nvrtc::architectures(found);
  return 0;
}

int torchada_adapter_nvrtcGetSupportedArchs(int* out) {
  if (!out) return torchada::fail(torchada::kInvalid);
  torchada::nvrtc::Architecture found[torchada::nvrtc::kMaxArchitectures];
  const int count = torchada::nvrtc::architectures(found);
  for (int i = 0; i < count; ++i) out[i] = found[i].told;
  return 0;
}

}  // extern "C"
