#pragma once

#include <vector>

#include "src/host/mccl/work.h"

namespace host_mccl {

// Puts all of this into its streams, as one piece of work for each stream. Within a piece
// everything progresses at the same time, except that the collectives of one communicator run one
// after the other.
mcclResult_t launch(const std::vector<CollectiveWork>& collectives,
                    const std::vector<TransferWork>& transfers);

}  // namespace host_mccl
