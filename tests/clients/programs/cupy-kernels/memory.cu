// What CuPy's own module provides to its sorting: memory of the device.
#include <cuda_runtime.h>

#include <cstddef>

extern "C" char* cupy_malloc(void*, std::size_t bytes) {
  void* memory = nullptr;
  return cudaMalloc(&memory, bytes) == cudaSuccess ? static_cast<char*>(memory) : nullptr;
}

extern "C" int cupy_free(void*, char* memory) { return cudaFree(memory); }
