// The properties that a simulated device reports.
#pragma once

#include "src/host/musa/runtime.h"

namespace musa {

// All but the number of processors, which a program can change while it runs.
musaDeviceProp fixed_properties(int ordinal, int physical_index, std::size_t memory);
musaDeviceProp describe(const Device& device);
musaError_t read_attribute(const Device& device, musaDeviceAttr attribute, int* value);

}  // namespace musa
