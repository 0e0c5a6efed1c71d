#include "src/host/kernels/engine/grid.h"

#include <algorithm>
#include <optional>

#include "src/host/kernels/engine/worker.h"
#include "src/host/musa/stream.h"
#include "src/host/shared/workers/workers.h"

namespace musa {

musaError_t run_grid(const Grid& grid, int device) {
  constexpr std::uint64_t kFew = 1024;  // threads for which waking another core takes longer
  const std::uint64_t blocks = std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z;
  const std::uint64_t threads = blocks * grid.threads.x * grid.threads.y * grid.threads.z;
  const auto cores = static_cast<std::uint64_t>(host::thread_count());
  const int parts = threads <= kFew ? 1 : static_cast<int>(std::min(blocks, cores));
  watch_faults();
  Progress progress;
  host::in_parallel(parts, [&](int) {
    std::optional<OnStreamThread> here;
    if (!on_stream_thread()) here.emplace(device);
    try {
      Worker::mine().run(grid, &progress);
    } catch (...) {
      progress.error.store(musaErrorMemoryAllocation);  // for stacks
    }
  });
  return progress.error.load();
}

}  // namespace musa
