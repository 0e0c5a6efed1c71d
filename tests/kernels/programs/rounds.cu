// Warps whose threads run together from one meeting of the whole warp to the next.
#include "expected.h"
#include "program.h"

// Meets with all of its warp, with a part of it, and with those that have not ended.
__global__ void meet(int* out) {
  const unsigned int lane = threadIdx.x % 32;
  int value = __shfl_xor_sync(~0u, threadIdx.x, 1);
  if (lane < 8) value += 1000 * __shfl_sync(0xff, value, 7 - lane);
  value += __match_any_sync(~0u, lane % 2) == 0x55555555u ? 100000 : 0;
  if (lane == 31) asm volatile("exit;");
  out[threadIdx.x] = value + 1000000 * __popc(__ballot_sync(~0u, lane % 3 != 0));
}
// The first warp meets again and again until the last one has come, which begins later.
__global__ void await(int* out, volatile int* come) {
  if (threadIdx.x == 64) *come = 7;
  if (threadIdx.x >= 32) return;
  while (__any_sync(~0u, *come == 0)) {
  }
  out[threadIdx.x] = *come + threadIdx.x;
}

int main() {
  int* const out = upload(std::vector<int>(96));
  meet<<<1, 96>>>(out);
  std::vector<int> expected(96);
  for (int t = 0; t < 96; ++t) expected[t] = met(t);
  if (compare(download(out, 96), expected) != 0) return 1;
  await<<<1, 96>>>(out, upload(std::vector<int>(1)));
  for (int t = 0; t < 32; ++t) expected[t] = 7 + t;
  return compare(download(out, 96), expected);
}
