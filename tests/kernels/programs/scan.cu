// Running sums of a block, through dynamic shared memory.
#include "program.h"

extern __shared__ int sums[];

__global__ void scan(int* values) {
  const unsigned int i = threadIdx.x;
  sums[i] = values[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (unsigned int step = 1; step < blockDim.x; step *= 2) {
    const int before = i >= step ? sums[i - step] : 0;
    __syncthreads();
    sums[i] += before;
    __syncthreads();
  }
  values[blockIdx.x * blockDim.x + i] = sums[i];
}

int main() {
  std::vector<int> expected(3 * 128);
  for (int i = 0; i < 3 * 128; ++i) expected[i] = i % 128 + 1;
  int* values = upload(std::vector<int>(3 * 128, 1));
  scan<<<3, 128, 128 * sizeof(int)>>>(values);
  return compare(download(values, 3 * 128), expected);
}
