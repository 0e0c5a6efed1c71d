// The properties that a simulated device reports.
#pragma once

#include "src/host/musa/runtime.h"

namespace musa {

musaDeviceProp describe(const Device& device);
musaError_t read_attribute(const Device& device, musaDeviceAttr attribute, int* value);

}  // namespace musa
