// cudaDeviceGetAttribute: MUSA's answer, unless it would mislead; see attributes.h.
#include "stubs/cudart/answers.h"
#include "stubs/cudart/attributes.h"

extern "C" int torchada_adapter_cudaDeviceGetAttribute(int* value, int attribute, int device) {
  const int status = musaDeviceGetAttribute(value, attribute, device);
  if (status != 0) return torchada::told("cudaDeviceGetAttribute", status);
  if (value) *value = torchada::attribute_to_tell(attribute, *value);
  return 0;
}
