// Groups of calls: ncclGroupStart to ncclGroupEnd.
#pragma once

namespace torchada::nccl {

// Whether this thread is in a group, which MCCL collects.
bool in_group();

}  // namespace torchada::nccl
