// Warps of any size: threads exchange values within theirs.
#include "program.h"

__global__ void whole_warps(int* out) {
  __shared__ int values[256];
  const int lane = threadIdx.x % warpSize;
  const int first = threadIdx.x - lane;
  values[threadIdx.x] = lane * 7;
  __syncwarp();
  out[threadIdx.x] = warpSize * 100000 + values[first + warpSize - 1 - lane];
}

int main() {
  int warp = 0;
  CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  std::vector<int> expected(256);
  for (int i = 0; i < 256; ++i) expected[i] = warp * 100000 + (warp - 1 - i % warp) * 7;
  int* out = upload(std::vector<int>(256));
  whole_warps<<<1, 256>>>(out);
  return compare(download(out, 256), expected);
}
