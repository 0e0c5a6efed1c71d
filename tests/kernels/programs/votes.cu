// Votes, matches and shuffles in every direction.
#include "program.h"

__global__ void votes(unsigned int* out) {
  const int lane = threadIdx.x;
  const unsigned int all = 0xffffffff;
  unsigned int* const mine = out + lane * 10;
  mine[0] = __ballot_sync(all, lane % 3 == 0);
  mine[1] = __any_sync(all, lane == 31) * 2 + __all_sync(all, lane < 32);
  mine[2] = __shfl_sync(all, lane * 10, 5);
  mine[3] = __shfl_up_sync(all, lane, 3);
  mine[4] = __shfl_xor_sync(all, lane, 1);
  mine[5] = __shfl_down_sync(all, lane, 4, 8);
  mine[6] = __match_any_sync(all, lane / 16);
  mine[7] = __reduce_add_sync(all, static_cast<unsigned int>(lane));
  if (lane < 8) {
    mine[8] = __shfl_sync(0xff, lane, 7);
    mine[9] = __activemask();
  }
}

int main() {
  std::vector<unsigned int> expected(320);
  for (unsigned int i = 0; i < 32; ++i) {
    const unsigned int row[] = {0x49249249U, 3, 50, i < 3 ? i : i - 3, i ^ 1,
                                i % 8 < 4 ? i + 4 : i, i < 16 ? 0xffffU : 0xffff0000U, 496,
                                i < 8 ? 7U : 0, i < 8 ? 0xffU : 0};
    for (int j = 0; j < 10; ++j) expected[i * 10 + j] = row[j];
  }
  unsigned int* out = upload(std::vector<unsigned int>(320));
  votes<<<1, 32>>>(out);
  return compare(download(out, 320), expected);
}
