// Runs kernels: the blocks of a grid on the cores, the threads of a block as fibers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "musa_runtime_api.h"
#include "src/host/kernels/include/torchada_image.h"

namespace musa {

struct Grid {
  const torchada_image* image = nullptr;
  const torchada_kernel* kernel = nullptr;
  torchada_xyz blocks{};
  torchada_xyz threads{};  // of a block
  std::size_t dynamic_shared = 0;
  const unsigned char* arguments = nullptr;
  bool cooperative = false;  // its blocks may wait for each other
};

// Blocks that may wait for each other have an OS thread each: the caller says how many that may be.
// Returns when the grid is done, or when its first thread has failed: after an illegal address, a
// trap, an assertion, or when the threads of a block wait for each other. That is one line on
// stderr.
musaError_t run_grid(const Grid& grid, int device);

// What a block's variables and its dynamic shared memory can have together.
constexpr std::size_t kSharedMemoryPerBlock = std::size_t{48} << 10;

}  // namespace musa
