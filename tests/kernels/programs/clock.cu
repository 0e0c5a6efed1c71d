// Threads that wait by the clock whose rate the device tells.
#include <chrono>

#include "program.h"

__global__ void wait_with_clock64(int milliseconds, int kilohertz, int* waited) {
  const long long begin = clock64();
  while ((clock64() - begin) / kilohertz < milliseconds) {
  }
  atomicAdd(waited, 1);
}

// A program may have functions of this name, too.
__device__ clock_t clock(clock_t begin, int kilohertz) { return (clock() - begin) / kilohertz; }

__global__ void wait_with_clock(int milliseconds, int kilohertz, int* waited) {
  const clock_t begin = clock();
  while (clock(begin, kilohertz) < milliseconds) {
  }
  atomicAdd(waited, 1);
}

// If they waited one after the other, it would take more than three seconds.
constexpr int kThreads = 64;

int main() {
  int kilohertz = 0;
  CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  int* waited = upload(std::vector<int>{0});
  const auto begin = std::chrono::steady_clock::now();
  wait_with_clock64<<<1, kThreads>>>(50, kilohertz, waited);
  wait_with_clock<<<1, kThreads>>>(50, kilohertz, waited);
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  // The clock of a GPU may stand lower than the highest, which is told: then it takes longer.
  std::vector<int> found = download(waited, 1);
  found.push_back(took.count() > 0.09);
  found.push_back(took.count() < 2);
  return compare(found, {2 * kThreads, 1, 1});
}
