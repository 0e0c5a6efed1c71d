#pragma once

#include <atomic>
#include <memory>

#include "src/host/mccl/network.h"
#include "src/host/mccl/remote_link.h"
#include "src/host/mccl/ring.h"
#include "src/host/mccl/ticket_order.h"

namespace host_mccl {

// Another rank, as this rank sees it.
struct Peer {
  int rank = 0;
  // Carries messages of two bytes: the other rank leaves, or what failed there. Closes when its
  // process ends in any way.
  Socket control;
  // The rank's process or communicator has ended.
  std::atomic<bool> gone{false};
  // The rank said goodbye, so it has all that it wanted.
  std::atomic<bool> left{false};
  Channel channels[kChannelKinds];
  TicketOrder sends;
  TicketOrder receives;
  std::unique_ptr<RemoteLink> remote;  // null for ranks of this host

  // The rank neither sends nor receives any more. What it sent is in the ring.
  bool ended(ChannelKind kind) const {
    return remote != nullptr ? remote->ended(kind) : gone.load();
  }
};

}  // namespace host_mccl
