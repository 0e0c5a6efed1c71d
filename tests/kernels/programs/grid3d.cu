// Three dimensions, of the grid and of blocks.
#include "program.h"

__global__ void number(int* out, dim3 size) {
  const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= size.x || y >= size.y || z >= size.z) return;
  out[(z * size.y + y) * size.x + x] = x + 10 * y + 100 * z;
}

int main() {
  std::vector<int> expected;
  for (int z = 0; z < 5; ++z) {
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 7; ++x) expected.push_back(x + 10 * y + 100 * z);
    }
  }
  int* out = upload(std::vector<int>(expected.size()));
  number<<<dim3(2, 3, 3), dim3(4, 2, 2)>>>(out, dim3(7, 6, 5));
  return compare(download(out, expected.size()), expected);
}
