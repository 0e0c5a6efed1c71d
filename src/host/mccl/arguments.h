#pragma once

#include <mccl.h>

#include <cstddef>

#include "communicator.h"
#include "data_types.h"
#include "errors.h"

namespace host_mccl {

inline mcclResult_t check_elements(const char* caller, std::size_t count, mcclDataType_t type) {
  if (!element_size(type)) {
    return fail(mcclInvalidArgument, "%s: there is no data type %d", caller,
                static_cast<int>(type));
  }
  if (byte_size(count, type)) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: %zu elements fit in no memory", caller, count);
}

inline mcclResult_t check_rank(const char* caller, const char* role, int rank) {
  if (rank == Communicator::kRank) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: %s %d is not a rank of a communicator of %d", caller, role,
              rank, Communicator::kRanks);
}

inline mcclResult_t check_buffers(const char* caller, const void* source, const void* destination) {
  if (source != nullptr && destination != nullptr) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: a buffer is null", caller);
}

}  // namespace host_mccl
