// What every program needs on the host.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s (%d)\n", what, cudaGetErrorString(status), status);
  std::exit(1);
}
#define CHECK(call) check(call, #call)

template <typename T>
T* upload(const std::vector<T>& values) {
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(memory);
}

template <typename T>
std::vector<T> download(const T* memory, std::size_t count) {
  CHECK(cudaGetLastError());
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

// 0 if both are equal within a millionth; a line otherwise.
template <typename T>
int compare(const std::vector<T>& found, const std::vector<T>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double wanted = static_cast<double>(expected[i]);
    if (std::fabs(static_cast<double>(found[i]) - wanted) > 1e-6 * (1 + std::fabs(wanted))) {
      std::printf("[%zu]: %g, expected %g\n", i, static_cast<double>(found[i]), wanted);
      return 1;
    }
  }
  std::puts("right");
  return 0;
}
