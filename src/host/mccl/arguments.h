#pragma once

#include <mccl.h>

#include <cstddef>

#include "src/host/mccl/buffers.h"
#include "src/host/mccl/communicator.h"
#include "src/host/mccl/data_types.h"
#include "src/host/mccl/errors.h"

namespace host_mccl {

inline mcclResult_t check_elements(const char* caller, std::size_t count, mcclDataType_t type) {
  if (!element_size(type)) {
    return fail(mcclInvalidArgument, "%s: unknown data type %d", caller, static_cast<int>(type));
  }
  if (byte_size(count, type)) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: %zu elements are more than memory can hold", caller, count);
}

inline mcclResult_t check_rank(const char* caller, const char* role, int rank,
                               const Communicator& communicator) {
  if (rank >= 0 && rank < communicator.ranks) return mcclSuccess;
  return fail(mcclInvalidArgument,
              "%s: %s=%d: expected a rank of this communicator, which has %d ranks", caller, role,
              rank, communicator.ranks);
}

// A communicator that has failed accepts no more work.
inline mcclResult_t check_working(const char* caller, const Communicator& communicator) {
  const mcclResult_t failure = communicator.failure();
  if (failure == mcclSuccess) return mcclSuccess;
  return fail(failure, "%s: an earlier call on this communicator failed: %s", caller,
              mcclGetErrorString(failure));
}

}  // namespace host_mccl
