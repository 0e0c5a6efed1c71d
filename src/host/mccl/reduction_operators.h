#pragma once

#include <mccl.h>

#include <array>
#include <cstddef>
#include <optional>

namespace host_mccl {

class Communicator;

// The scalar of a premultiplied sum, read when the operator is created or when the collective runs.
struct Scale {
  mcclDataType_t type;
  std::array<std::byte, 8> immediate;
  const void* device_scalar;  // null when `immediate` holds the value
};

// Checks that `op` can reduce `type` on this communicator. Sets `scale` for a premultiplied sum.
mcclResult_t resolve_operator(Communicator& communicator, mcclRedOp_t op, mcclDataType_t type,
                              std::optional<Scale>& scale, const char* caller);

}  // namespace host_mccl
