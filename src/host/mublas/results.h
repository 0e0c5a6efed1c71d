#pragma once

#include "src/host/mublas/context.h"

namespace host_mublas {

// Starts a computation that writes results. Results in host memory are ready when the call returns,
// results in device memory when the stream gets there.
template <typename Compute>
mublasStatus_t start_with_results(const Settings& settings, const host::Operands& inputs,
                                  const host::Operands& results, Compute compute) {
  if (!settings.scalars_on_host()) {
    return start(settings, inputs, [=] {
      if (host::may_use(results)) compute();
    });
  }
  // A captured computation runs later, when the memory for the result may no longer exist.
  auto capture = musaStreamCaptureStatusNone;
  if (musaStreamIsCapturing(settings.stream, &capture) != musaSuccess ||
      capture != musaStreamCaptureStatusNone) {
    return MUBLAS_STATUS_INTERNAL_ERROR;
  }
  const auto status = start(settings, inputs, compute);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  return musaStreamSynchronize(settings.stream) == musaSuccess ? MUBLAS_STATUS_SUCCESS
                                                               : MUBLAS_STATUS_INTERNAL_ERROR;
}

}  // namespace host_mublas
