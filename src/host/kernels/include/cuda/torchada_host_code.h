// What host code commonly uses, so that its launches can be read. Host code is left out afterwards;
// no result matters, and names that are missing here do no harm.
#pragma once

#include "torchada_vectors.h"

typedef struct torchada_stream* cudaStream_t;
typedef struct torchada_event* cudaEvent_t;
typedef struct torchada_graph* cudaGraph_t;
typedef struct torchada_graph_exec* cudaGraphExec_t;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int warpSize, maxThreadsPerBlock, major, minor, multiProcessorCount;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes;
  int maxThreadsPerBlock, numRegs;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
extern "C" unsigned int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
// A kernel that is named as an argument counts as used.
#define TORCHADA_HOST(name) \
  template <typename... A>  \
  cudaError_t name(A&&...);
TORCHADA_HOST(cudaMalloc)
TORCHADA_HOST(cudaMallocManaged)
TORCHADA_HOST(cudaMallocHost)
TORCHADA_HOST(cudaFree)
TORCHADA_HOST(cudaFreeHost)
TORCHADA_HOST(cudaMemcpy)
TORCHADA_HOST(cudaMemcpyAsync)
TORCHADA_HOST(cudaMemset)
TORCHADA_HOST(cudaMemsetAsync)
TORCHADA_HOST(cudaMemcpyToSymbol)
TORCHADA_HOST(cudaMemcpyFromSymbol)
TORCHADA_HOST(cudaDeviceSynchronize)
TORCHADA_HOST(cudaStreamCreate)
TORCHADA_HOST(cudaStreamSynchronize)
TORCHADA_HOST(cudaStreamDestroy)
TORCHADA_HOST(cudaGetLastError)
TORCHADA_HOST(cudaPeekAtLastError)
TORCHADA_HOST(cudaGetDevice)
TORCHADA_HOST(cudaSetDevice)
TORCHADA_HOST(cudaGetDeviceProperties)
TORCHADA_HOST(cudaEventCreate)
TORCHADA_HOST(cudaEventRecord)
TORCHADA_HOST(cudaEventSynchronize)
TORCHADA_HOST(cudaFuncGetAttributes)
TORCHADA_HOST(cudaFuncSetAttribute)
TORCHADA_HOST(cudaFuncSetCacheConfig)
TORCHADA_HOST(cudaOccupancyMaxPotentialBlockSize)
TORCHADA_HOST(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
TORCHADA_HOST(cudaLaunchKernelEx)
TORCHADA_HOST(cudaLaunchKernel)
TORCHADA_HOST(cudaLaunchCooperativeKernel)
#undef TORCHADA_HOST
const char* cudaGetErrorString(cudaError_t);
const char* cudaGetErrorName(cudaError_t);
