#pragma once

#include <mccl.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "src/host/mccl/announcement.h"
#include "src/host/mccl/communicator.h"
#include "src/host/mccl/reduction.h"

namespace host_mccl {

// A collective as one rank asked for it. A graph carries it out each time it runs.
struct Collective {
  OperationKind kind;
  const void* source;
  void* destination;
  std::size_t count;  // in the unit of the function called
  mcclDataType_t type;
  int root = 0;
  Operation operation = Operation::kSum;
  std::optional<Scale> scale;
  // For kAllToAllV: in elements, one number for each rank.
  std::vector<std::size_t> send_counts;
  std::vector<std::size_t> send_places;
  std::vector<std::size_t> receive_counts;
  std::vector<std::size_t> receive_places;
};

// Carries it out with the other ranks, on the calling thread. `sequence` is the same on all ranks.
mcclResult_t carry_out(const Collective& collective, Communicator& communicator,
                       std::uint64_t sequence);

}  // namespace host_mccl
