// Reductions, scans and copies of cooperative groups; partitions of a tile; the rank in the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "program.h"

namespace cg = cooperative_groups;

__device__ int all_of(const cg::thread_block_tile<16>& tile, int value) {
  return cg::reduce(tile, value, cg::plus<int>());
}

__global__ void partitions(const int* in, int* out) {
  __shared__ int copy[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, copy, in, sizeof(copy));
  cg::wait(block);
  const int value = copy[block.thread_rank()];
  const auto tile = cg::tiled_partition<16>(block);
  int* const mine = out + 6 * cg::this_grid().thread_rank();
  mine[0] = all_of(tile, value);
  mine[1] = cg::reduce(tile, value, cg::greater<int>());
  mine[2] = cg::inclusive_scan(tile, value, cg::plus<int>());
  mine[3] = cg::exclusive_scan(tile, value, cg::plus<int>());
  const auto same = cg::labeled_partition(tile, value % 3);
  mine[4] = cg::reduce(same, value, cg::plus<int>());
  const cg::thread_group eight = cg::tiled_partition(block, 8);
  mine[5] = static_cast<int>(100 * eight.size() + eight.thread_rank());
}

int main() {
  std::vector<int> in(64), expected;
  for (int i = 0; i < 64; ++i) in[i] = i * i % 17;
  for (int i = 0; i < 128; ++i) {
    const int thread = i % 64, first = thread / 16 * 16;
    int sum = 0, most = 0, before = 0, alike = 0;
    for (int j = first; j < first + 16; ++j) {
      sum += in[j];
      most = std::max(most, in[j]);
      if (j < thread) before += in[j];
      if (in[j] % 3 == in[thread] % 3) alike += in[j];
    }
    expected.insert(expected.end(), {sum, most, before + in[thread], before, alike, 800 + thread % 8});
  }
  int* out = upload(std::vector<int>(768));
  partitions<<<2, 64>>>(upload(in), out);
  return compare(download(out, 768), expected);
}
