// Kernels of the program, from the image that `torchada run --kernels=` names.
#include "tests/device_code/registering.h"
#include "tests/long_run/work.h"

namespace {
// Addresses that stand for the functions that nvcc generates.
char scale_kernel, add_kernel;

struct Code {
  Code() {
    module.kernel(&scale_kernel, "_Z5scalePffi");
    module.kernel(&add_kernel, "_Z3addPfPKfi");
  }
  Module module;
} code;

template <typename... Arguments>
void start(const void* kernel, int count, cudaStream_t stream, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  OK(cudaLaunchKernel(kernel, {static_cast<unsigned>(count + 63) / 64, 1, 1}, {64, 1, 1}, pointers,
                      0, stream));
}
}  // namespace

const void* scale_function() { return &scale_kernel; }

void scale(float* values, float factor, int count, cudaStream_t stream) {
  start(&scale_kernel, count, stream, values, factor, count);
}

void add(float* sums, const float* values, int count, cudaStream_t stream) {
  start(&add_kernel, count, stream, sums, values, count);
}

void use_kernels(unsigned seed) {
  constexpr int kCount = 1000;
  Numbers expected = numbers(kCount, seed);
  const Numbers more = numbers(kCount, seed + 1);
  const Memory memory(expected), others(more);
  const Stream stream;
  scale(memory.get(), 3, kCount, stream);
  add(memory.get(), others.get(), kCount, stream);
  stream.wait();
  for (int i = 0; i < kCount; ++i) expected[i] = expected[i] * 3 + more[i];
  compare("kernels", expected, memory.values());
  cudaFuncAttributes attributes{};
  OK(cudaFuncGetAttributes(&attributes, scale_function()));
}
