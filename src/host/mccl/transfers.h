#pragma once

#include <vector>

#include "src/host/mccl/work.h"

namespace host_mccl {

// All that one rank sends to, or receives from, another in a group, in order.
struct TransferChain {
  int peer;
  bool sending;
  struct Buffer {
    void* data;
    std::size_t bytes;
  };
  std::vector<Buffer> buffers;
  std::uint64_t ticket = 0;  // of the first buffer
};

TicketOrder& ticket_order_of(Communicator& communicator, const TransferChain& chain);

// Carries out all chains at once, on the calling thread.
mcclResult_t carry_out(const std::vector<TransferChain>& chains, Communicator& communicator);

}  // namespace host_mccl
