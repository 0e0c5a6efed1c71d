// An ordinary CUDA program with a kernel of its own. It knows nothing about MUSA or torchada.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main() {
  const int n = 1000;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *y);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 1;
  saxpy<<<(n + 255) / 256, 256>>>(n, 2, x, y);
  const cudaError_t status = cudaDeviceSynchronize();
  const cudaError_t launch = cudaGetLastError();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += y[i] != 2 * i + 1;
  std::printf("saxpy: %s, %d of %d numbers are wrong\n", cudaGetErrorString(launch ? launch : status), wrong, n);
  return wrong != 0;
}
