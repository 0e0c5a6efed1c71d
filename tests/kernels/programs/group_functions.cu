// Functions that take a group, parts of groups, and barriers in two halves.
#include <cooperative_groups.h>

#include "program.h"

namespace cg = cooperative_groups;

template <typename Group>
__device__ int described(const Group& group) {
  return static_cast<int>(1000 * cg::group_size(group) + cg::thread_rank(group));
}
template <typename Group>
__device__ int part(const Group& group) {
  return static_cast<int>(100 * group.meta_group_size() + group.meta_group_rank());
}

__global__ void group_functions(int* out) {
  __shared__ int numbers[64];
  const auto block = cg::this_thread_block();
  int* const mine = out + 10 * block.thread_rank();
  mine[0] = described(block);
  mine[1] = described(cg::this_grid());
  const auto warp = cg::tiled_partition<32>(block);
  const auto four = cg::tiled_partition<4>(warp);
  mine[2] = part(warp);
  mine[3] = part(four);
  mine[4] = part(cg::labeled_partition(warp, warp.thread_rank() % 5));
  mine[5] = 0;
  if (warp.thread_rank() % 3 == 0) {
    // Lanes 0, 3, 6, ... 30, of which four lie together.
    const auto together = cg::tiled_partition(cg::coalesced_threads(), 4);
    mine[5] = described(together) * 1000 + part(together);
    mine[5] += together.shfl(static_cast<int>(warp.thread_rank()), 0) * 10000000;
  }
  numbers[block.thread_rank()] = static_cast<int>(block.thread_rank());
  auto token = block.barrier_arrive();
  mine[6] = 7;
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  mine[7] = numbers[63 - block.thread_rank()];
  mine[8] = cg::invoke_one_broadcast(warp, [&](int more) { return mine[7] + more; }, 5);
  mine[9] = 0;
  cg::sync(warp);
  cg::invoke_one(four, [&] { mine[9] = 1; });
}

int main() {
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32, rank = lane / 3;  // of 11
    const int size = rank < 8 ? 4 : 3, first = rank / 4 * 4 * 3;
    const int together = (1000 * size + rank % 4) * 1000 + 300 + rank / 4 + first * 10000000;
    expected.insert(expected.end(),
                    {64000 + i, 64000 + i, 200 + i / 32, 800 + lane / 4, 500 + lane % 5,
                     lane % 3 == 0 ? together : 0, 7, 63 - i, 63 - i / 32 * 32 + 5, lane % 4 == 0});
  }
  int* out = upload(std::vector<int>(640));
  group_functions<<<1, 64>>>(out);
  return compare(download(out, 640), expected);
}
