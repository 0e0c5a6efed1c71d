// Barriers of the whole grid, in a cooperative launch.
#include <cooperative_groups.h>

#include "program.h"

__global__ void fill(int* values, int count, int* valid) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = i % 10;
  if (i == 0) *valid = cooperative_groups::this_grid().is_valid();
}

// In each round every value becomes the sum of itself and its right neighbour's, in a circle.
__global__ void add_neighbours(int* values, int* next, int count, int rounds, int* valid) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int threads = static_cast<int>(grid.size());
  for (int round = 0; round < rounds; ++round) {
    for (int i = static_cast<int>(grid.thread_rank()); i < count; i += threads) {
      next[i] = (values[i] + values[(i + 1) % count]) % 1000;
    }
    grid.sync();
    int* const other = values;
    values = next;
    next = other;
  }
  if (grid.thread_rank() == 0) *valid = grid.is_valid();
}

int main() {
  constexpr int kCount = 1000;
  int rounds = 50, threads = 96, count = kCount;
  int* values = upload(std::vector<int>(kCount));
  int* next = upload(std::vector<int>(kCount));
  int* valid = upload(std::vector<int>(2, 7));
  fill<<<8, 128>>>(values, kCount, valid++);
  std::vector<int> expected = download(values, kCount);

  int processors = 0, of_each = 0, cooperative = 0;
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, add_neighbours, threads, 0));
  const int most = processors * of_each;
  void* arguments[] = {&values, &next, &count, &rounds, &valid};
  void* const kernel = reinterpret_cast<void*>(add_neighbours);
  const cudaError_t status = cudaLaunchCooperativeKernel(kernel, most + 1, threads, arguments);
  std::vector<int> told = {cooperative, status == cudaErrorCooperativeLaunchTooLarge};
  cudaGetLastError();
  CHECK(cudaLaunchCooperativeKernel(kernel, most, threads, arguments));
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> before = expected;
    for (int i = 0; i < kCount; ++i) {
      expected[i] = (before[i] + before[(i + 1) % kCount]) % 1000;
    }
  }
  int failed = compare(download(values, kCount), expected);
  for (const int each : download(valid - 1, 2)) told.push_back(each);
  return failed + compare(told, {1, 1, 0, 1});
}
