// Dynamic shared memory of two types beside a static variable.
#include "program.h"

__global__ void reverse_pairs(const double* in, double* out, int* counts) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ int count;
  double* const values = reinterpret_cast<double*>(memory);
  int* const marks = reinterpret_cast<int*>(values + blockDim.x);
  if (threadIdx.x == 0) count = 0;
  values[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  marks[threadIdx.x] = threadIdx.x % 2;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
  atomicAdd(&count, marks[blockDim.x - 1 - threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

int main() {
  std::vector<double> in(64), expected(64);
  for (int i = 0; i < 64; ++i) in[i] = i;
  for (int i = 0; i < 64; ++i) expected[i] = in[i / 32 * 32 + 31 - i % 32];
  double* out = upload(std::vector<double>(64));
  int* counts = upload(std::vector<int>(2));
  reverse_pairs<<<2, 32, 32 * 12>>>(upload(in), out, counts);
  return compare(download(out, 64), expected) + compare(download(counts, 2), {16, 16});
}
