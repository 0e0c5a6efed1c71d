// A reduction through shared memory, as a template with a size.
#include "program.h"

template <typename T, int kThreads>
__global__ void __launch_bounds__(256) block_sum(const T* values, T* sums) {
  __shared__ T tile[kThreads];
  tile[threadIdx.x] = values[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

template <typename T>
int run() {
  const int blocks = 10;
  T* values = upload(std::vector<T>(blocks * 256, 2));
  T* sums = upload(std::vector<T>(blocks));
  block_sum<T, 256><<<blocks, 256>>>(values, sums);
  return compare(download(sums, blocks), std::vector<T>(blocks, 512));
}

template __global__ void block_sum<double, 64>(const double*, double*);

int main() { return run<float>() + run<int>(); }
