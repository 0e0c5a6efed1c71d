#pragma once

#include <mccl.h>

#include <optional>

#include "src/host/mccl/communicator.h"

namespace host_mccl {

// Checks that `op` can reduce `type` on this communicator. Sets `scale` for a premultiplied sum.
mcclResult_t resolve_operator(Communicator& communicator, mcclRedOp_t op, mcclDataType_t type,
                              std::optional<Scale>& scale, const char* caller);

}  // namespace host_mccl
