// A program with a kernel, in the form in which nvcc generates it, so that it can be built for
// every CUDA major without that major's compiler. With the argument "launch" it launches the
// kernel.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cuda_prototypes.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                            int thread_limit, void* tid, void* bid, void* block, void* grid,
                            int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                       size_t size, int constant, int global);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
int __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
}

namespace {

constexpr int kNoKernelImage = 209;

// An empty fat binary: only the header, no image.
struct FatHeader {
  unsigned magic = 0xba55ed50;
  unsigned short version = 1;
  unsigned short header_size = 16;
  unsigned long long size = 0;
};
FatHeader fat_binary;

struct Wrapper {
  int magic;
  int version;
  const void* data;
  void* unused;
};
Wrapper wrapper = {0x466243b1, 1, &fat_binary, nullptr};

int variable;
void** handle;

// The host function that stands for the kernel.
void add_one(int* numbers, int count) {
  void* arguments[] = {&numbers, &count};
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) != 0) return;
  cudaLaunchKernel(reinterpret_cast<const void*>(add_one), grid, block, arguments, shared, stream);
}

void unregister() { __cudaUnregisterFatBinary(handle); }

__attribute__((constructor)) void register_all() {
  handle = __cudaRegisterFatBinary(&wrapper);
  static char name[] = "_Z7add_onePii";
  static char variable_name[] = "variable";
  __cudaRegisterFunction(handle, reinterpret_cast<const char*>(add_one), name, name, -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, reinterpret_cast<char*>(&variable), variable_name, variable_name, 0,
                    sizeof variable, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  __cudaInitModule(handle);
  atexit(unregister);
}

void launch() {
  constexpr int kCount = 64;
  int numbers[kCount], back[kCount];
  for (int i = 0; i < kCount; ++i) numbers[i] = i;
  void* memory = nullptr;
  check_equal("cudaMalloc", 0, cudaMalloc(&memory, sizeof numbers));
  check_equal("cudaMemcpy", 0, cudaMemcpy(memory, numbers, sizeof numbers, kHostToDevice));
  for (int round = 0; round < 2; ++round) {
    // add_one<<<1, kCount>>>(memory, kCount)
    if (__cudaPushCallConfiguration({1, 1, 1}, {kCount, 1, 1}, 0, nullptr) == 0) {
      add_one(static_cast<int*>(memory), kCount);
    }
    check_equal("cudaGetLastError after the launch", kNoKernelImage, cudaGetLastError());
    check_equal("cudaGetLastError again", 0, cudaGetLastError());
  }
  check_equal("cudaDeviceSynchronize", 0, cudaDeviceSynchronize());
  check_equal("cudaMemcpy", 0, cudaMemcpy(back, memory, sizeof back, kDeviceToHost));
  check_equal("contents differ", 0, memcmp(numbers, back, sizeof back) != 0);
  check_equal("cudaFree", 0, cudaFree(memory));
  if (failures == 0) puts("launch refused, copies work");
}

}  // namespace

int main(int argc, char** argv) {
  check_equal("__cudaRegisterFatBinary returned NULL", 0, handle == nullptr);
  puts("registered");
  if (argc > 1 && strcmp(argv[1], "launch") == 0) launch();
  return failures != 0;
}
