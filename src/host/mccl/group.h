#pragma once

#include <mccl.h>

#include <functional>

#include "work.h"

namespace host_mccl {

// Inside a group: keeps the work until the group ends. Outside: starts it now.
mcclResult_t submit(CollectiveWork work);
mcclResult_t submit(TransferWork work);

// Making a communicator waits for other ranks, some of which may be made in the same group: there,
// each is made by a thread of its own when the group ends.
mcclResult_t submit(std::function<mcclResult_t()> making);

// A call refused inside a group makes the whole group fail at its end. Passes `result` through.
mcclResult_t note(mcclResult_t result);

// Does all of them at the same time; the first failure is the result, or mcclInProgress if there is
// none and one of them goes on.
mcclResult_t run_together(const std::vector<std::function<mcclResult_t()>>& works);

}  // namespace host_mccl
