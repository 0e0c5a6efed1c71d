#pragma once

#include <mccl.h>

namespace host_mccl {

// Whether mcclGetUniqueId of this library, in whatever process, made the id.
bool is_ours(const mcclUniqueId& id);

}  // namespace host_mccl
