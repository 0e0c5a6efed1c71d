#pragma once

#include <musa_runtime_api.h>

#include <memory>
#include <new>
#include <utility>

namespace host {

// Puts `work` into the stream behind everything already there and returns at once, as a kernel
// launch does. `work` must not call MUSA: it runs where a MUSA host function runs.
template <typename Work>
musaError_t enqueue(musaStream_t stream, Work work) {
  std::unique_ptr<Work> task(new (std::nothrow) Work(std::move(work)));
  if (!task) return musaErrorMemoryAllocation;
  const auto run = [](void* data) {
    const std::unique_ptr<Work> owned(static_cast<Work*>(data));
    (*owned)();
  };
  const musaError_t status = musaLaunchHostFunc(stream, run, task.get());
  if (status == musaSuccess) static_cast<void>(task.release());
  return status;
}

}  // namespace host
