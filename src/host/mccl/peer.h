#pragma once

#include <atomic>
#include <memory>

#include "network.h"
#include "remote_link.h"
#include "ring.h"
#include "turnstile.h"

namespace host_mccl {

// Another rank, as this one sees it.
struct Peer {
  int rank = 0;
  // Told here, in words of two bytes: that the other rank leaves, or what went wrong there. Broken
  // when its process ends, however it ends.
  Socket control;
  // It will neither send nor take anything any more; what it sent may still be in the rings.
  std::atomic<bool> gone{false};
  // It said that it leaves, so it has all that it wanted.
  std::atomic<bool> left{false};
  Channel channels[kChannelKinds];
  Turnstile sends;
  Turnstile receives;
  std::unique_ptr<RemoteLink> remote;  // null for a rank of this host
};

}  // namespace host_mccl
