// Element by element.
#include "program.h"

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1000;
  float* x = upload(std::vector<float>(n, 2));
  float* y = upload(std::vector<float>(n, 1));
  saxpy<<<(n + 255) / 256, 256>>>(3, x, y, n);
  return compare(download(y, n), std::vector<float>(n, 7));
}
