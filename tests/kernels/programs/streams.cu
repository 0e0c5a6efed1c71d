// The same kernel in two streams, and one after the other in one.
#include "program.h"

static __global__ void add(int* values, int n, int by) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] += by;
}

int main() {
  int* first = upload(std::vector<int>(1000, 1));
  int* second = upload(std::vector<int>(1000, 2));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < 20; ++i) {
    add<<<1, 64, 0, streams[0]>>>(first, 1000, 1);
    add<<<1, 64, 0, streams[1]>>>(second, 1000, 10);
  }
  for (cudaStream_t& stream : streams) CHECK(cudaStreamSynchronize(stream));
  return compare(download(first, 1000), std::vector<int>(1000, 21)) +
         compare(download(second, 1000), std::vector<int>(1000, 202));
}
