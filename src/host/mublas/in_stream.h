#pragma once

#include <mublas.h>

#include <cmath>
#include <utility>

#include "src/host/mublas/blas_gate.h"
#include "src/host/shared/stream_work.h"

namespace host_mublas {

// Puts a computation into a stream.
template <typename Work>
mublasStatus_t start_gated(musaStream_t stream, Work work, double cost = HUGE_VAL) {
  if (!BlasGate::has_room()) return MUBLAS_STATUS_MEMORY_ERROR;
  const auto gated = [work = std::move(work)] {
    if (const BlasGate gate; gate) work();
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

}  // namespace host_mublas
