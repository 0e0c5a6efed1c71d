#pragma once

#include <vector>

#include "src/host/mccl/work.h"

namespace host_mccl {

// Moves a rank's transfers to itself from `transfers` to `own`. The n-th send of a communicator
// matches its n-th receive. Fails unless all of them match.
mcclResult_t take_own_transfers(std::vector<TransferWork>& transfers,
                                std::vector<OwnTransfer>& own);

// Copies after the earlier work and before the later work of both streams.
mcclResult_t launch(const OwnTransfer& transfer);

}  // namespace host_mccl
