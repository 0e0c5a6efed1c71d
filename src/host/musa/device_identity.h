// What tells one simulated device from another.
#pragma once

#include <cstddef>

namespace musa {

struct DeviceIdentity {
  const int ordinal;         // as this process numbers them
  const int physical_index;  // as the machine does; below kMaxDevices
  const std::size_t memory;  // in bytes
};

}  // namespace musa
