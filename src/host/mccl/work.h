#pragma once

#include <mccl.h>

#include <cstddef>

#include "collective.h"
#include "communicator.h"

namespace host_mccl {

// What a call asks for, until its group ends and it goes into its stream.
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

// A send to this rank itself and the receive it meets.
struct OwnTransfer {
  TransferWork send;
  TransferWork receive;
};

}  // namespace host_mccl
