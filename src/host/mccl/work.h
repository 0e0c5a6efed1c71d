#pragma once

#include <mccl.h>

#include <cstddef>

#include "src/host/mccl/collective.h"
#include "src/host/mccl/communicator.h"

namespace host_mccl {

// What a call asks for, kept until its group ends and the work goes into its stream.
struct CollectiveWork {
  CommunicatorPtr communicator;
  musaStream_t stream;
  Collective collective;
};

// One half of a transfer.
struct TransferWork {
  CommunicatorPtr communicator;
  musaStream_t stream;
  void* buffer;
  std::size_t bytes;
  int peer;
  bool sending;
};

// A send of a rank to itself and the receive that it matches.
struct OwnTransfer {
  TransferWork send;
  TransferWork receive;
};

}  // namespace host_mccl
