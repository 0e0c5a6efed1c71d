// Dynamic shared memory of two types beside a static variable, and declared outside of functions.
#include "program.h"

extern __shared__ float numbers[];
extern __shared__ __align__(8) int counters[];

__global__ void reverse_floats(float* in_place) {
  numbers[threadIdx.x] = in_place[threadIdx.x];
  __syncthreads();
  in_place[threadIdx.x] = numbers[blockDim.x - 1 - threadIdx.x];
}

__global__ void count_thirds(int* counts) {
  if (threadIdx.x < 3) counters[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counters[threadIdx.x % 3], 1);
  __syncthreads();
  if (threadIdx.x < 3) counts[threadIdx.x] = counters[threadIdx.x];
}

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
  float* const floats = upload(std::vector<float>{1, 2, 3, 4});
  reverse_floats<<<1, 4, 16>>>(floats);
  int* const thirds = upload(std::vector<int>(3));
  count_thirds<<<1, 32, 12>>>(thirds);
  return compare(download(out, 64), expected) + compare(download(counts, 2), {16, 16}) +
         compare(download(floats, 4), {4, 3, 2, 1}) + compare(download(thirds, 3), {11, 11, 10});
}
