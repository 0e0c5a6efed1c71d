#pragma once

#include <vector>

#include "work.h"

namespace host_mccl {

// Moves what a rank sends to itself from `transfers` to `own`: the n-th send of a communicator
// meets its n-th receive. An error unless all of them match.
mcclResult_t take_own_transfers(std::vector<TransferWork>& transfers,
                                std::vector<OwnTransfer>& own);

// Copies behind the earlier work of both streams and before the later work of both.
mcclResult_t launch(const OwnTransfer& transfer);

}  // namespace host_mccl
