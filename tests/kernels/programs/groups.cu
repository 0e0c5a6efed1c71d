// Cooperative groups of a block and of tiles.
#include <cooperative_groups.h>

#include "program.h"

namespace cg = cooperative_groups;

__global__ void groups(int* out) {
  __shared__ int tile[64];
  const cg::thread_block block = cg::this_thread_block();
  tile[block.thread_rank()] = static_cast<int>(block.thread_rank());
  block.sync();
  const auto eight = cg::tiled_partition<8>(block);
  int value = tile[63 - block.thread_rank()];
  for (int i = eight.size() / 2; i > 0; i /= 2) value += eight.shfl_down(value, i);
  value = eight.shfl(value, 0);
  out[block.thread_rank()] = value * 10 + static_cast<int>(eight.thread_rank());
}

int main() {
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int j = 0; j < 8; ++j) sum += 63 - (i / 8 * 8 + j);
    expected[i] = sum * 10 + i % 8;
  }
  int* out = upload(std::vector<int>(64));
  groups<<<1, 64>>>(out);
  return compare(download(out, 64), expected);
}
