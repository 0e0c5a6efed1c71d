#include <thread>

#include "tests/long_run/work.h"

void use_threads(unsigned seed) {
  std::vector<std::thread> threads;
  for (const auto work : {use_kernels, use_graphs, use_cublas, use_memory})
    threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
}
