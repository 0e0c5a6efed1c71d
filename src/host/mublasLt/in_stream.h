#pragma once

#include <mublasLt.h>

#include <cmath>
#include <utility>

#include "src/host/mublas/blas_gate.h"
#include "src/host/shared/stream_work.h"

namespace host_mublaslt {

// Puts a computation into the stream of the call.
template <typename Work>
mublasStatus_t start(musaStream_t stream, Work work, double cost = HUGE_VAL) {
  const auto gated = [work = std::move(work)] {
    if (const host_mublas::BlasGate gate; gate) work();
  };
  switch (host::enqueue(stream, gated, cost)) {
    case musaSuccess:
      return MUBLAS_STATUS_SUCCESS;
    case musaErrorMemoryAllocation:
      return MUBLAS_STATUS_MEMORY_ERROR;
    default:
      return MUBLAS_STATUS_INTERNAL_ERROR;
  }
}

}  // namespace host_mublaslt
