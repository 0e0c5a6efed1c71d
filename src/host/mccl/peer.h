#pragma once

#include <atomic>

#include "src/host/mccl/network.h"
#include "src/host/mccl/ring.h"
#include "src/host/mccl/ticket_order.h"

namespace host_mccl {

// Another rank, as this rank sees it.
struct Peer {
  int rank = 0;
  // Carries messages of two bytes: the other rank leaves, or what failed there. Closes when its
  // process ends in any way.
  Socket control;
  // The rank's process or communicator has ended: it neither sends nor receives any more. What it
  // sent is in the ring.
  std::atomic<bool> gone{false};
  Channel channels[kChannelKinds];
  TicketOrder sends;
  TicketOrder receives;
};

}  // namespace host_mccl
