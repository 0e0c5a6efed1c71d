// The properties that a simulated device reports.
#pragma once

#include "musa_runtime_api.h"
#include "src/host/musa/device_identity.h"

namespace musa {

musaDeviceProp describe(const DeviceIdentity& device);
musaError_t read_attribute(const DeviceIdentity& device, musaDeviceAttr attribute, int* value);

}  // namespace musa
