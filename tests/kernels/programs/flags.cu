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

// The last thread comes first, and the others only read.
__global__ void watchers(volatile int* turn, int* order) {
  while (*turn != static_cast<int>(threadIdx.x)) {
  }
  *order = *order * 3 + static_cast<int>(threadIdx.x) + 1;
  __threadfence();
  *turn = static_cast<int>(threadIdx.x) - 1;
}

int main() {
  int* order = upload(std::vector<int>{0});
  unsigned int* turn = upload(std::vector<unsigned int>{0});
  relay<<<3, 4>>>(order, turn);
  int expected = 0;
  for (int i = 0; i < 12; ++i) expected = expected * 3 + 4 - i % 4;
  if (compare(download(order, 1), {expected}) != 0) return 1;
  watchers<<<1, 64>>>(upload(std::vector<int>{63}), upload(std::vector<int>{0}));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
