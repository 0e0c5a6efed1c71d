// Groups of calls: ncclGroupStart to ncclGroupEnd.
#pragma once

#include <stdint.h>

namespace torchada::nccl {

// Whether this thread is in a group, which MCCL collects.
bool in_group();

// For functions that MCCL is not known to have, and whose steps cannot run in a group. Returns 0
// outside of one. In one, the first call with `said` prints a line, and each returns the status.
int refuse_in_group(const char* function, uint8_t* said);

}  // namespace torchada::nccl
