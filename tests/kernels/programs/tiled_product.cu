// A product of matrices, a tile at a time.
#include "program.h"

constexpr int kTile = 16;

__global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n / kTile; ++tile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + tile * kTile + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(tile * kTile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 64;
  std::vector<float> a(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 5);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) expected[i * n + j] += a[i * n + k] * a[k * n + j];
    }
  }
  float* c = upload(expected);
  tiled_product<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(upload(a), upload(a), c, n);
  return compare(download(c, n * n), expected);
}
