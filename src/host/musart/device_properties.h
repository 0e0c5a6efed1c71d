// The properties that a simulated device reports.
#ifndef TORCHADA_HOST_MUSART_DEVICE_PROPERTIES_H_
#define TORCHADA_HOST_MUSART_DEVICE_PROPERTIES_H_

#include "src/host/musart/runtime.h"

namespace musart {

musaDeviceProp describe(const Device& device);
musaError_t read_attribute(const Device& device, musaDeviceAttr attribute, int* value);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_DEVICE_PROPERTIES_H_
