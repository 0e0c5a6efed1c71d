// Threads that wait for a flag of another one, and blocks that wait for the block before.
#include "program.h"

__global__ void relay(int* order, unsigned int* turn) {
  __shared__ unsigned int next;
  if (threadIdx.x == 0) next = blockDim.x - 1;
  __syncthreads();
  // The last thread comes first.
  while (atomicAdd(&next, 0U) != threadIdx.x) __nanosleep(10);
  if (threadIdx.x == blockDim.x - 1) {
    while (atomicAdd(turn, 0U) != blockIdx.x) __threadfence();
  }
  *order = *order * 3 + static_cast<int>(threadIdx.x) + 1;
  __threadfence();
  atomicExch(&next, threadIdx.x - 1);
  if (threadIdx.x == 0) atomicAdd(turn, 1U);
}

int main() {
  int* order = upload(std::vector<int>{0});
  unsigned int* turn = upload(std::vector<unsigned int>{0});
  relay<<<3, 4>>>(order, turn);
  int expected = 0;
  for (int i = 0; i < 12; ++i) expected = expected * 3 + 4 - i % 4;
  return compare(download(order, 1), {expected});
}
