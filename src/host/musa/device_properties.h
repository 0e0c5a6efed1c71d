// The properties that a simulated device reports.
#ifndef TORCHADA_HOST_MUSA_DEVICE_PROPERTIES_H_
#define TORCHADA_HOST_MUSA_DEVICE_PROPERTIES_H_

#include "src/host/musa/runtime.h"

namespace musa {

musaDeviceProp describe(const Device& device);
musaError_t read_attribute(const Device& device, musaDeviceAttr attribute, int* value);

}  // namespace musa

#endif  // TORCHADA_HOST_MUSA_DEVICE_PROPERTIES_H_
