// Static shared memory of two dimensions, with padding.
#include "program.h"

template <typename T>
__global__ void transpose(const T* in, T* out, int n) {
  __shared__ T tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main() {
  const int n = 96;
  std::vector<short> in(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = static_cast<short>(i);
  for (int i = 0; i < n * n; ++i) expected[i] = in[i % n * n + i / n];
  short* out = upload(std::vector<short>(n * n));
  transpose<<<dim3(3, 3), dim3(32, 8)>>>(upload(in), out, n);
  return compare(download(out, n * n), expected);
}
