// One lane of those that come here adds for all, and the others learn what it found. They give the
// shuffle a variable that they have not set.
#include "program.h"

__device__ unsigned int add_together(unsigned int* count) {
  const unsigned int all = 0xffffffff;
  const unsigned int here = __ballot_sync(all, 1);
  const int leader = __ffs(here) - 1;
  const int lane = threadIdx.x % 32;
  unsigned int before;
  if (lane == leader) before = atomicAdd(count, __popc(here));
  before = __shfl_sync(all, before, leader);
  return before + __popc(here & ((1U << lane) - 1));
}

__global__ void leaders(const int* values, unsigned int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] % 7 == 0) add_together(count);
}

int main() {
  std::vector<int> values(1024);
  for (int i = 0; i < 1024; ++i) values[i] = i;
  unsigned int* count = upload(std::vector<unsigned int>(1));
  leaders<<<4, 256>>>(upload(values), count);
  return compare(download(count, 1), {147U});
}
