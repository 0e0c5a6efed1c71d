#pragma once

#include <mccl.h>

#include <optional>

#include "communicator.h"

namespace host_mccl {

// Whether `op` can reduce `type` on this communicator; `scale` is set for a premultiplied sum.
// The built-in operators all leave the one rank's values as they are.
mcclResult_t resolve_operator(Communicator& communicator, mcclRedOp_t op, mcclDataType_t type,
                              std::optional<Scale>& scale, const char* caller);

}  // namespace host_mccl
