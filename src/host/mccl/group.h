#pragma once

#include <mccl.h>

#include <cstddef>

#include "communicator.h"
#include "movement.h"

namespace host_mccl {

// One half of a transfer, waiting for the other half in the same group.
struct Endpoint {
  CommunicatorPtr communicator;
  musaStream_t stream;
  void* buffer;
  std::size_t bytes;
};

// Inside a group: keeps the work until the group ends. Outside: starts it now.
mcclResult_t submit(const Movement& movement, musaStream_t stream);
mcclResult_t submit_send(const Endpoint& endpoint);
mcclResult_t submit_receive(const Endpoint& endpoint);

// A call refused inside a group makes the whole group fail at its end. Passes `result` through.
mcclResult_t note(mcclResult_t result);

}  // namespace host_mccl
