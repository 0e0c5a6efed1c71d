#pragma once

#include <mccl.h>

namespace host_mccl {

// A new id. This process lets the ranks that have it find each other.
mcclResult_t make_unique_id(mcclUniqueId& id, const char* caller);

}  // namespace host_mccl
