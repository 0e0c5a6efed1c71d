// Linked with the libraries of one CUDA major, ours or NVIDIA's. The source is the same for all.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cuda_prototypes.h"

enum { kSize = 100003, kCount = 1000, kFloat = 7, kSum = 0 };

static void say_origin(void) {
  Dl_info info;
  memset(&info, 0, sizeof info);
  if (!dladdr(dlsym(RTLD_DEFAULT, "cudaMalloc"), &info)) printf("dladdr: cudaMalloc not found\n");
  printf("cudaMalloc from %s\n", info.dli_fname ? info.dli_fname : "nowhere");
}

static void copy_there_and_back(void) {
  unsigned char* sent = malloc(kSize);
  unsigned char* received = calloc(kSize, 1);
  void* memory = NULL;
  for (int i = 0; i < kSize; ++i) sent[i] = (unsigned char)(i * 7 + (i >> 8));
  check_equal("cudaMalloc", 0, cudaMalloc(&memory, kSize));
  check_equal("cudaMemcpy", 0, cudaMemcpy(memory, sent, kSize, kHostToDevice));
  check_equal("cudaMemset", 0, cudaMemset(memory, 0x5a, 100));
  check_equal("cudaMemcpy", 0, cudaMemcpy(received, memory, kSize, kDeviceToHost));
  memset(sent, 0x5a, 100);
  check_equal("contents differ", 0, memcmp(sent, received, kSize) != 0);
  check_equal("cudaFree", 0, cudaFree(memory));
  free(received);
  free(sent);
}

static void copy_in_a_stream(void) {
  cudaStream_t stream = NULL;
  cudaEvent_t event = NULL;
  void *memory = NULL, *pinned = NULL;
  check_equal("cudaStreamCreate", 0, cudaStreamCreate(&stream));
  check_equal("cudaEventCreate", 0, cudaEventCreate(&event));
  check_equal("cudaHostAlloc", 0, cudaHostAlloc(&pinned, 2 * kCount, 0));
  check_equal("cudaMalloc", 0, cudaMalloc(&memory, kCount));
  memset(pinned, 0x33, kCount);
  char* back = (char*)pinned + kCount;
  check_equal("cudaMemcpyAsync", 0, cudaMemcpyAsync(memory, pinned, kCount, kDefault, stream));
  check_equal("cudaMemcpyAsync", 0, cudaMemcpyAsync(back, memory, kCount, kDefault, stream));
  check_equal("cudaEventRecord", 0, cudaEventRecord(event, stream));
  check_equal("cudaEventSynchronize", 0, cudaEventSynchronize(event));
  check_equal("contents differ", 0, memcmp(pinned, back, kCount) != 0);
  check_equal("cudaStreamSynchronize", 0, cudaStreamSynchronize(stream));
  check_equal("cudaFree", 0, cudaFree(memory));
  check_equal("cudaFreeHost", 0, cudaFreeHost(pinned));
  check_equal("cudaEventDestroy", 0, cudaEventDestroy(event));
  check_equal("cudaStreamDestroy", 0, cudaStreamDestroy(stream));
}

static void reduce_on_one_rank(void) {
  float numbers[kCount], result[kCount];
  ncclUniqueId id;
  ncclComm_t communicator = NULL;
  void *from = NULL, *to = NULL;
  for (int i = 0; i < kCount; ++i) numbers[i] = (float)i * 0.5f;
  check_equal("cudaMalloc", 0, cudaMalloc(&from, sizeof numbers));
  check_equal("cudaMalloc", 0, cudaMalloc(&to, sizeof numbers));
  check_equal("cudaMemcpy", 0, cudaMemcpy(from, numbers, sizeof numbers, kHostToDevice));
  check_equal("ncclGetUniqueId", 0, ncclGetUniqueId(&id));
  check_equal("ncclCommInitRank", 0, ncclCommInitRank(&communicator, 1, id, 0));
  check_equal("ncclAllReduce", 0, ncclAllReduce(from, to, kCount, kFloat, kSum, communicator, 0));
  check_equal("cudaDeviceSynchronize", 0, cudaDeviceSynchronize());
  check_equal("cudaMemcpy", 0, cudaMemcpy(result, to, sizeof result, kDeviceToHost));
  check_equal("contents differ", 0, memcmp(numbers, result, sizeof result) != 0);
  check_equal("ncclCommDestroy", 0, ncclCommDestroy(communicator));
  check_equal("cudaFree", 0, cudaFree(from));
  check_equal("cudaFree", 0, cudaFree(to));
}

static void ask_the_others(void) {
  int version = 0;
  check_equal("ncclGetVersion", 0, ncclGetVersion(&version));
  check_equal("curandGetVersion", 0, curandGetVersion(&version));
  check_equal("cublasGetStatusString(0)", 0, strcmp("success", cublasGetStatusString(0)));
  check_equal("cublasLtGetStatusString is NULL", 0, cublasLtGetStatusString(0) == NULL);
  check_equal("cudaGetErrorString(2)", 0, strcmp("out of memory", cudaGetErrorString(2)));
}

int main(void) {
  int version = 0, count = 0;
  say_origin();
  check_equal("cudaRuntimeGetVersion", 0, cudaRuntimeGetVersion(&version));
  printf("runtime %d\n", version / 1000);
  check_equal("cudaGetDeviceCount", 0, cudaGetDeviceCount(&count));
  check_equal("no device", 0, count < 1);
  check_equal("cudaSetDevice", 0, cudaSetDevice(0));
  copy_there_and_back();
  copy_in_a_stream();
  reduce_on_one_rank();
  ask_the_others();
  check_equal("cudaGetLastError", 0, cudaGetLastError());
  if (failures == 0) printf("result correct\n");
  return failures != 0;
}
