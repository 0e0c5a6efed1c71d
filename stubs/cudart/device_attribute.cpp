// cudaDeviceGetAttribute: MUSA's, but for the compute capability that the user may set. What
// cudaGetDeviceProperties tells is the same.
#include "answers.h"
#include "capability.h"

using namespace torchada;

extern "C" int torchada_adapter_cudaDeviceGetAttribute(int* value, int attribute, int device) {
  const int status = musaDeviceGetAttribute(value, attribute, device);
  if (status != 0) return told(status);
  if (attribute != cuda::cudaDevAttrComputeCapabilityMajor &&
      attribute != cuda::cudaDevAttrComputeCapabilityMinor) {
    return 0;
  }
  if (const int wanted = wanted_capability()) {
    *value = attribute == cuda::cudaDevAttrComputeCapabilityMajor ? wanted / 10 : wanted % 10;
  }
  return 0;
}
