// cudaDeviceGetAttribute: MUSA's answer, unless it would mislead; see device_claims.h.
//
// MUSA's runtime has CUDA 11's attributes. Those that came later ask for features that it is not
// known to have. Its driver knows the first few of them, so it is asked for these; the rest is
// answered here.
#include "stubs/adapting/device_claims.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/attempt.h"
#include "stubs/cudart/attributes.h"
#include "stubs/reporting/refusal.h"

namespace torchada {

int attribute_to_tell(int attribute, int value) {
  switch (attribute) {
    case cuda::cudaDevAttrComputeCapabilityMajor:
      return major_to_tell(value);
    case cuda::cudaDevAttrComputeCapabilityMinor:
      return minor_to_tell(value);
    case cuda::cudaDevAttrMemoryPoolsSupported:
    case cuda::cudaDevAttrMemoryPoolSupportedHandleTypes:
      return value != 0 && has_memory_pools() ? value : 0;
    default:
      return value;
  }
}

}  // namespace torchada

namespace {

using namespace torchada;

constexpr int kLastOfRuntime = 119;
constexpr int kLastOfDriver = 124;

// What CUDA says of a device without the feature.
int answer_without([[maybe_unused]] int attribute) {
#if TORCHADA_ABI >= 12
  switch (attribute) {
    case cuda::cudaDevAttrNumaId:
    case cuda::cudaDevAttrHostNumaId:
      return -1;
    case cuda::cudaDevAttrMemSyncDomainCount:
      return 1;
    default:
      break;
  }
#endif
  return 0;
}

// Numbers that name a device, which cannot be guessed.
bool is_identity([[maybe_unused]] int attribute) {
#if TORCHADA_ABI >= 12
  return attribute == cuda::cudaDevAttrGpuPciDeviceId ||
         attribute == cuda::cudaDevAttrGpuPciSubsystemId;
#else
  return false;
#endif
}

int later_attribute(int* value, int attribute, int device) {
  constexpr const char* kName = "cudaDeviceGetAttribute";
  const bool is_known = attribute < static_cast<int>(cuda::cudaDevAttrMax);
  int asked = 0;
  if (is_known && value && attribute <= kLastOfDriver) {
    const Attempt attempt;
    if (musaDeviceGetAttribute(&asked, attribute, device) == 0) {
      *value = asked;
      return 0;
    }
    attempt.forget();
  }
  // Any attribute that MUSA knows: it says whether the device exists.
  const int status = musaDeviceGetAttribute(&asked, musa::musaDevAttrWarpSize, device);
  if (status != 0) return told(kName, status);
  if (!is_known || !value) return fail(kInvalidValue);
  if (is_identity(attribute)) {
    return refuse_enumerator(kName, 1, attribute, "no public source says where MUSA tells it",
                             kNotSupported);
  }
  *value = answer_without(attribute);
  return 0;
}

}  // namespace

extern "C" int torchada_adapter_cudaDeviceGetAttribute(int* value, int attribute, int device) {
  if (attribute > kLastOfRuntime) return later_attribute(value, attribute, device);
  const int status = musaDeviceGetAttribute(value, attribute, device);
  if (status != 0) return told("cudaDeviceGetAttribute", status);
  if (value) *value = attribute_to_tell(attribute, *value);
  return 0;
}
