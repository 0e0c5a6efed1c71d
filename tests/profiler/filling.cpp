// A program that knows of no profiler: allocates memory and fills it three times.
#include "tests/profiler/cuda_calls.h"

int main() {
  void* memory = nullptr;
  if (cudaMalloc(&memory, 16) != 0) return 1;
  for (int i = 0; i < 3; ++i) {
    if (cudaMemset(memory, i, 16) != 0) return 1;
  }
  return cudaFree(memory);
}
