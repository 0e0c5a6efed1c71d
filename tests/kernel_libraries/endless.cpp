// Starts a kernel that never ends, says "running" when it does, and waits for it or, with the
// argument "exit", exits: endless wait|exit
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/device_code/registering.h"

namespace {

char wait_for;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

}  // namespace

#define CHECK(call) check(call, #call)

int main(int count, char** words) {
  if (count != 2) return 2;
  const Module module;
  module.kernel(&wait_for, "_Z8wait_forPi");
  int* flags = nullptr;
  cudaStream_t kernels = nullptr, copies = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&flags), 2 * sizeof(int)));
  CHECK(cudaMemset(flags, 0, 2 * sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  void* arguments[] = {&flags};
  CHECK(cudaLaunchKernel(&wait_for, {8, 1, 1}, {32, 1, 1}, arguments, 0, kernels));
  for (int runs = 0; runs == 0;) {
    CHECK(cudaMemcpyAsync(&runs, flags + 1, sizeof runs, cudaMemcpyDeviceToHost, copies));
    CHECK(cudaStreamSynchronize(copies));
  }
  std::puts("running");
  std::fflush(stdout);
  if (std::strcmp(words[1], "exit") == 0) std::exit(5);
  CHECK(cudaDeviceSynchronize());
}
