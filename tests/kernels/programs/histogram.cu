// Counting with atomics, first in shared memory.
#include "program.h"

__global__ void histogram(const unsigned char* data, int n, unsigned int* counts) {
  __shared__ unsigned int mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[data[i]], 1U);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&counts[i], mine[i]);
}

int main() {
  std::vector<unsigned char> data(25600);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i);
  unsigned int* counts = upload(std::vector<unsigned int>(256));
  histogram<<<7, 64>>>(upload(data), 25600, counts);
  return compare(download(counts, 256), std::vector<unsigned int>(256, 100));
}
