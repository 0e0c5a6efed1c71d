// Votes, matches and shuffles in every direction.
#include "expected.h"
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

// Votes one behind the other: those of which a digit is the same, bit by bit.
__global__ void same_digits(unsigned int* out) {
  const unsigned int digit = threadIdx.x * 37 % 24 + 1;
  unsigned int same = ~0u;
#pragma unroll
  for (int bit = 0; bit < 10; ++bit) {
    const bool mine = (digit >> bit & 1) != 0;
    const unsigned int votes = __ballot_sync(~0u, mine);
    same &= mine ? votes : ~votes;
  }
  out[threadIdx.x] = same;
}
// Lanes come to the same votes by different ways, in some of which they are not one behind the
// other.
__global__ void ways(unsigned int* out, volatile unsigned int* seen, const volatile int* limits) {
  const int lane = threadIdx.x % 32;
  const int way = lane % 4 == 3 ? 0 : lane % 4 == 2 ? 1 : 2;
  const int first = limits[3 * way], second = limits[3 * way + 1], third = limits[3 * way + 2];
  unsigned int a, b, c;
  if (way == 0) {
    a = __ballot_sync(~0u, lane < first);
    b = __ballot_sync(~0u, lane < second);
    c = __ballot_sync(~0u, lane < third);
  } else if (way == 1) {
    a = __ballot_sync(~0u, lane < first);
    b = __ballot_sync(~0u, lane <= second - 1);
    *seen = b;
    c = __ballot_sync(~0u, lane < third);
  } else {
    a = __ballot_sync(~0u, first > lane);
    *seen = a;
    b = __ballot_sync(~0u, lane < second);
    *seen = b;
    c = __ballot_sync(~0u, lane < third);
  }
  out[threadIdx.x] = a + 0x100 * b + 0x10000 * c;
}

int votes_in_a_row() {
  constexpr int kThreads = 80;  // The last warp is not whole.
  unsigned int* const out = upload(std::vector<unsigned int>(kThreads));
  same_digits<<<1, kThreads>>>(out);
  std::vector<unsigned int> expected;
  for (int t = 0; t < kThreads; ++t) expected.push_back(same_digit(t, kThreads));
  if (compare(download(out, kThreads), expected) != 0) return 1;
  ways<<<1, 64>>>(out, upload(std::vector<unsigned int>(1)), upload(kLimits));
  return compare(download(out, 64), std::vector<unsigned int>(64, kAllWays));
}

int main() {
  std::vector<unsigned int> expected;
  for (unsigned int i = 0; i < 32; ++i) {
    for (const unsigned int value : voted(i)) expected.push_back(value);
  }
  unsigned int* out = upload(std::vector<unsigned int>(320));
  votes<<<1, 32>>>(out);
  return compare(download(out, 320), expected) + votes_in_a_row();
}
