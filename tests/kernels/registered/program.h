/* What nvcc makes of a program's kernels and launches, by hand: the programs build for every CUDA
 * major without its compiler. Each has the device code of the file of that name in ../programs. */
#ifndef TORCHADA_TESTS_KERNELS_REGISTERED_PROGRAM_H_
#define TORCHADA_TESTS_KERNELS_REGISTERED_PROGRAM_H_

#include <stdio.h>
#include <stdlib.h>

#include "tests/programs/native/cuda_prototypes.h"

void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                            int thread_limit, void* tid, void* bid, void* block, void* grid,
                            int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                       size_t size, int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
int __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);

/* A fat binary without any image. Nobody reads it. */
static const struct {
  unsigned magic;
  unsigned short version, header_size;
  unsigned long long size;
} fat_binary = {0xba55ed50, 1, 16, 0};
static struct {
  int magic, version;
  const void* data;
  void* unused;
} wrapper = {0x466243b1, 1, &fat_binary, NULL};
static void** module;

static void unregister_module(void) { __cudaUnregisterFatBinary(module); }

static inline void register_kernel(const void* host, const char* name) {
  __cudaRegisterFunction(module, (const char*)host, (char*)name, name, -1, NULL, NULL, NULL, NULL,
                         NULL);
}
static inline void register_variable(void* host, const char* name, size_t size, int is_constant) {
  __cudaRegisterVar(module, (char*)host, (char*)name, name, 0, size, is_constant, 0);
}

/* REGISTER { register_kernel(...); ... } runs before main. */
#define REGISTER                                                   \
  static void register_code(void);                                 \
  __attribute__((constructor)) static void register_module(void) { \
    module = __cudaRegisterFatBinary(&wrapper);                    \
    register_code();                                               \
    __cudaRegisterFatBinaryEnd(module);                            \
    atexit(unregister_module);                                     \
  }                                                                \
  static void register_code(void)

/* kernel<<<grid, block, shared, stream>>>(arguments) is LAUNCH(grid, block, shared, stream)
 * kernel(arguments), and the kernel's function on the host calls launch(). */
#define SIZE(x, y, z) ((dim3){x, y, z})
#define LAUNCH(grid, block, shared, stream) \
  if (__cudaPushCallConfiguration(grid, block, shared, stream) == 0)
static inline void launch(const void* host, void** arguments) {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) != 0) return;
  cudaLaunchKernel(host, grid, block, arguments, shared, stream);
}

static inline void check(int status, const char* what) {
  if (status == 0) return;
  printf("%s: %s (%d)\n", what, cudaGetErrorString(status), status);
  exit(1);
}
#define CHECK(call) check(call, #call)

static inline void* upload(const void* values, size_t bytes) {
  void* memory = NULL;
  CHECK(cudaMalloc(&memory, bytes));
  CHECK(cudaMemcpy(memory, values, bytes, kHostToDevice));
  return memory;
}

static inline void download(void* values, const void* memory, size_t bytes) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, memory, bytes, kDeviceToHost));
}

/* 0 if `is_right`; says which. */
static inline int right(int is_right, const char* what) {
  puts(is_right ? "right" : what);
  return !is_right;
}
#define RIGHT(condition) right(condition, "not right: " #condition)

#endif /* TORCHADA_TESTS_KERNELS_REGISTERED_PROGRAM_H_ */
