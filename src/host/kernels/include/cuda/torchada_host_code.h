// What host code commonly uses, so that its launches can be read. Host code is left out afterwards;
// no result matters, and names that are missing here do no harm.
#pragma once

#include "torchada_vectors.h"
#if __has_include(<library_types.h>)
#include <library_types.h>  // a toolkit's: what headers of its libraries need
#endif

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int warpSize, maxThreadsPerBlock, major, minor, multiProcessorCount;
};
union cudaLaunchAttributeValue {
  int cooperative, priority, programmaticStreamSerializationAllowed;
};
struct cudaLaunchAttribute {
  int id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
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
TORCHADA_FOR_EACH(TORCHADA_HOST, cudaMalloc, cudaMallocManaged, cudaMallocHost, cudaFree,
                  cudaFreeHost, cudaMemcpy, cudaMemcpyAsync, cudaMemset, cudaMemsetAsync,
                  cudaMemcpyToSymbol, cudaMemcpyFromSymbol, cudaDeviceSynchronize, cudaStreamCreate,
                  cudaStreamSynchronize, cudaStreamDestroy, cudaGetLastError, cudaPeekAtLastError,
                  cudaGetDevice, cudaSetDevice, cudaGetDeviceProperties, cudaEventCreate,
                  cudaEventRecord, cudaEventSynchronize, cudaFuncGetAttributes,
                  cudaFuncSetAttribute, cudaFuncSetCacheConfig, cudaOccupancyMaxPotentialBlockSize,
                  cudaOccupancyMaxActiveBlocksPerMultiprocessor, cudaLaunchKernelEx,
                  cudaLaunchKernel, cudaLaunchCooperativeKernel)
#undef TORCHADA_HOST
const char* cudaGetErrorString(cudaError_t);
const char* cudaGetErrorName(cudaError_t);
