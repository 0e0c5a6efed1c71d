#pragma once

#include <mccl.h>

#include <array>
#include <cstddef>

namespace host_mccl {

// The scalar of a premultiplied sum, read when the operator is created or when the collective runs.
struct Scale {
  mcclDataType_t type;
  std::array<std::byte, 8> immediate;
  const void* device_scalar;  // null when `immediate` holds the value
};

}  // namespace host_mccl
