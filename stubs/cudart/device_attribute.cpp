// cudaDeviceGetAttribute: MUSA's answer, unless it would mislead; see device_claims.h.
#include "stubs/cudart/answers.h"
#include "stubs/cudart/attributes.h"
#include "stubs/device_claims.h"

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

extern "C" int torchada_adapter_cudaDeviceGetAttribute(int* value, int attribute, int device) {
  const int status = musaDeviceGetAttribute(value, attribute, device);
  if (status != 0) return torchada::told("cudaDeviceGetAttribute", status);
  if (value) *value = torchada::attribute_to_tell(attribute, *value);
  return 0;
}
