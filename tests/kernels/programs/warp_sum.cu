// A reduction by shuffles, two levels.
#include "program.h"

__device__ int sum_of_warp(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

__global__ void warp_sum(const int* values, int* sum) {
  __shared__ int of_warps[32];
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  int value = sum_of_warp(values[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();
  if (warp != 0) return;
  value = sum_of_warp(lane < blockDim.x / warpSize ? of_warps[lane] : 0);
  if (lane == 0) atomicAdd(sum, value);
}

int main() {
  std::vector<int> values(20 * 512);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i % 7);
  int expected = 0;
  for (const int value : values) expected += value;
  int* sum = upload(std::vector<int>{0});
  warp_sum<<<20, 512>>>(upload(values), sum);
  return compare(download(sum, 1), {expected});
}
