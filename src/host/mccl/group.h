#pragma once

#include <mccl.h>

#include <functional>

#include "src/host/mccl/work.h"

namespace host_mccl {

// Inside a group: keeps the work until the group ends. Outside: starts it now.
mcclResult_t submit(CollectiveWork work);
mcclResult_t submit(TransferWork work);

// Making a communicator waits for other ranks, and some of them may be made in the same group. So
// the end of the group makes each in its own thread.
mcclResult_t submit(std::function<mcclResult_t()> making);

// A call refused inside a group makes the whole group fail at its end. Returns `result`.
mcclResult_t note(mcclResult_t result);

// Runs all of them at the same time. Returns the first failure; without one, mcclInProgress if any
// of them returned it.
mcclResult_t run_together(const std::vector<std::function<mcclResult_t()>>& works);

}  // namespace host_mccl
