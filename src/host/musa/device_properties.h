// The properties that a simulated device reports.
#pragma once

#include "musa_runtime_api.h"
#include "src/host/musa/device_identity.h"

namespace musa {

// All but the number of processors, which a program can change while it runs, and the extents of a
// grid in y and z, which differ between SDKs.
musaDeviceProp fixed_properties(const DeviceIdentity& device);
musaDeviceProp with_processors(const musaDeviceProp& fixed);
// Whether a stream or a kernel may have that window.
musaError_t check_window(const musaDeviceProp& properties, const musaAccessPolicyWindow& window);
musaError_t read_attribute(const musaDeviceProp& fixed, musaDeviceAttr attribute, int* value);

}  // namespace musa
