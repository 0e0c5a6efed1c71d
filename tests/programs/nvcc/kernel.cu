// A program with device code. With the argument "launch" it launches the kernel.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__device__ int step = 1;
__constant__ int limit = 1 << 20;

__global__ void add_step(int* numbers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count && numbers[i] < limit) numbers[i] += step;
}

static int launch() {
  constexpr int kCount = 256;
  int numbers[kCount], back[kCount] = {};
  for (int i = 0; i < kCount; ++i) numbers[i] = i;
  int* memory = nullptr;
  cudaStream_t stream = nullptr;
  if (cudaMalloc(&memory, sizeof numbers) != cudaSuccess) return 1;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
  for (int round = 0; round < 2; ++round) {
    add_step<<<4, 64, 128, stream>>>(memory, kCount);
    const int error = cudaGetLastError();
    printf("launch: %d, then %d\n", error, static_cast<int>(cudaGetLastError()));
  }
  printf("cudaDeviceSynchronize: %d\n", static_cast<int>(cudaDeviceSynchronize()));
  const bool copied =
      cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice) == cudaSuccess &&
      cudaMemcpyAsync(back, memory, sizeof back, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
      cudaStreamSynchronize(stream) == cudaSuccess && memcmp(numbers, back, sizeof back) == 0;
  printf("copies %s\n", copied ? "work" : "fail");
  return copied ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "launch") == 0) return launch();
  printf("started, nothing launched\n");
  return 0;
}
