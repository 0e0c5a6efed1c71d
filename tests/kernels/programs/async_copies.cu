// Copies into shared memory that are waited for later: of bytes, of elements, and by each thread.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "program.h"

namespace cg = cooperative_groups;

// Adds up rounds of 64 numbers, the last of which is shorter; one round is on its way meanwhile.
__global__ void async_copies(const int* in, int count, int* out) {
  __shared__ int rounds[2][64];
  __shared__ int4 own[64];
  const auto block = cg::this_thread_block();
  const int rank = static_cast<int>(block.thread_rank());
  rounds[1][rank] = -1000;
  block.sync();
  cg::memcpy_async(block, rounds[0], in, sizeof(rounds[0]));
  int sum = 0, round = 1;
  for (; round * 64 < count; ++round) {
    cg::memcpy_async(block, rounds[round % 2], 64, in + round * 64, count - round * 64);
    cg::wait_prior<1>(block);
    sum += rounds[(round + 1) % 2][63 - rank];
    block.sync();
  }
  cg::wait(block);
  out[rank] = sum + rounds[(round + 1) % 2][63 - rank];

  // Two of the four numbers come from memory, the others are 0.
  own[rank] = make_int4(5, 5, 5, 5);
  __pipeline_memcpy_async(&own[rank], in + 4 * (63 - rank), sizeof(int4), sizeof(int2));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const int4 mine = own[rank];
  out[64 + rank] = mine.x * 3 + mine.y + mine.z + mine.w;
}

int main() {
  std::vector<int> in(64 * 4), expected(128);
  for (int i = 0; i < 256; ++i) in[i] = i * i % 1009;
  const int count = 3 * 64 + 20;
  for (int i = 0; i < 64; ++i) {
    const int last = 63 - i < 20 ? 192 + 63 - i : 64 + 63 - i;
    expected[i] = in[63 - i] + in[64 + 63 - i] + in[128 + 63 - i] + in[last];
    expected[64 + i] = in[4 * (63 - i)] * 3 + in[4 * (63 - i) + 1];
  }
  int* out = upload(std::vector<int>(128));
  async_copies<<<1, 64>>>(upload(in), count, out);
  return compare(download(out, 128), expected);
}
