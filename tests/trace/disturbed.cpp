// A process whose threads make their first calls, traced, while others fork: the children fork in
// turn and call too. Each call is served or refused, none crashes or waits for ever. Exit status 0,
// or 1 with a line.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include "tests/stubs/patient_child.h"

extern "C" {
int cudaGetDeviceCount(int* count);
int cudaRuntimeGetVersion(int* version);
int cudaDriverGetVersion(int* version);
const char* cudaGetErrorString(int error);
int cudaDeviceSynchronize();
}

namespace {

constexpr int kTrials = 60;
constexpr int kRefused = 3;  // cudaErrorInitializationError

// How many calls neither worked nor were refused.
int first_calls() {
  int number = 0;
  const int results[] = {cudaGetDeviceCount(&number), cudaRuntimeGetVersion(&number),
                         cudaDriverGetVersion(&number), cudaDeviceSynchronize()};
  int wrong = 0;
  for (const int result : results) wrong += result != 0 && result != kRefused ? 1 : 0;
  return wrong + (std::strcmp(cudaGetErrorString(0), "no error") == 0 ? 0 : 1);
}

int child() {
  std::thread again([] { first_calls(); });
  const int of_grandchild = status_of(first_calls);
  again.join();
  return passed_on(of_grandchild);
}

int trial() {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread opener([&] {
    wrong = first_calls();
    stop = true;
  });
  int of_child = 0;
  do of_child = status_of(child);
  while (!stop && of_child == 0);
  opener.join();
  return of_child != 0 ? passed_on(of_child) : wrong.load();
}

}  // namespace

int main() {
  for (int i = 0; i < kTrials; ++i) {
    const int status = status_of(trial);
    if (status == 0) continue;
    std::printf("trial %d: status %d\n", i, status);
    return 1;
  }
  return 0;
}
