#pragma once

#include <mccl.h>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "movement.h"

namespace host_mccl {

// One rank alone: rank 0 of 1, on a device.
struct Communicator {
  static constexpr int kRanks = 1;
  static constexpr int kRank = 0;

  const int device;

  std::mutex mutex;  // guards what follows
  std::unordered_map<int, Scale> operators;
  std::unordered_set<void*> registrations;

  explicit Communicator(int on_device) : device(on_device) {}
};

using CommunicatorPtr = std::shared_ptr<Communicator>;

// The live communicator behind a handle. Null, with the error remembered, when there is none.
CommunicatorPtr find_communicator(mcclComm_t comm, const char* caller);

}  // namespace host_mccl
