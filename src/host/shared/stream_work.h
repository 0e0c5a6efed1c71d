#pragma once

#include <musa_runtime_api.h>

#include <cmath>
#include <memory>
#include <new>
#include <utility>

namespace musa {

// Of libmusa, like may_use() (operands.h).
[[gnu::weak]] extern bool run_here(musaStream_t stream, void (*work)(void*), void* data) noexcept;
[[gnu::weak]] extern void work_found_no_memory() noexcept;

}  // namespace musa

namespace host {

// Does work that a stream has accepted. If that finds no memory, this is the device's fault. No
// exception may leave the library: each has the C++ runtime for itself.
template <typename Work>
void do_accepted(Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    if (musa::work_found_no_memory == nullptr) throw;
    musa::work_found_no_memory();
  }
}

// Puts `work` into a graph that is being captured. The graph owns it from then on, and runs it at
// each launch, or never.
template <typename Work>
musaError_t enqueue_captured(musaStream_t stream, musaGraph_t graph, std::unique_ptr<Work> work) {
  const auto run = [](void* data) { do_accepted(*static_cast<Work*>(data)); };
  const auto destroy = [](void* data) { delete static_cast<Work*>(data); };
  musaUserObject_t owner = nullptr;
  musaError_t status =
      musaUserObjectCreate(&owner, work.get(), destroy, 1, musaUserObjectNoDestructorSync);
  if (status != musaSuccess) return status;
  Work* const kept = work.release();
  status = musaGraphRetainUserObject(graph, owner, 1, musaGraphUserObjectMove);
  if (status != musaSuccess) {
    static_cast<void>(musaUserObjectRelease(owner, 1));
    return status;
  }
  return musaLaunchHostFunc(stream, run, kept);
}

// Puts `work` into the stream behind everything already there and returns at once, as a kernel
// launch does. Short work for an idle stream is done before this returns; `cost` is counted as in
// operands.h. `work` must not call MUSA: it runs as a MUSA host function.
template <typename Work>
musaError_t enqueue(musaStream_t stream, Work work, double cost = HUGE_VAL) {
  // This takes about as long as waking another thread.
  constexpr double kShort = 1 << 19;
  const auto run_once = [](void* data) { do_accepted(*static_cast<Work*>(data)); };
  if (cost <= kShort && musa::run_here != nullptr && musa::run_here(stream, run_once, &work)) {
    return musaSuccess;
  }
  std::unique_ptr<Work> task(new (std::nothrow) Work(std::move(work)));
  if (!task) return musaErrorMemoryAllocation;
  musaStreamCaptureStatus capture = musaStreamCaptureStatusNone;
  musaGraph_t graph = nullptr;
  musaError_t status =
      musaStreamGetCaptureInfo_v2(stream, &capture, nullptr, &graph, nullptr, nullptr);
  if (status == musaSuccess && capture == musaStreamCaptureStatusActive) {
    return enqueue_captured(stream, graph, std::move(task));
  }
  // The launch reports any other problem with the stream.
  const auto run = [](void* data) {
    const std::unique_ptr<Work> owned(static_cast<Work*>(data));
    do_accepted(*owned);
  };
  status = musaLaunchHostFunc(stream, run, task.get());
  if (status == musaSuccess) static_cast<void>(task.release());
  return status;
}

}  // namespace host
