// What the runtime has for device code alone. A kernel that reaches one of these is refused, but
// for the last two. Thrust names some where no kernel calls any.
#pragma once

// Streams of launches that are not there.
#define cudaStreamTailLaunch ((cudaStream_t)0)
#define cudaStreamFireAndForget ((cudaStream_t)0)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0)
#define TORCHADA_LAUNCHES TORCHADA_REFUSES("a launch from device code (dynamic parallelism)")
TORCHADA_LAUNCHES __device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
template <typename... Types>
TORCHADA_LAUNCHES __device__ cudaError_t cudaLaunchDevice(Types...);
#undef TORCHADA_LAUNCHES
// Their arguments have types of newer releases than a toolkit's may be.
#define TORCHADA_OF_GRAPHS(name)            \
  template <typename... Types>              \
  TORCHADA_REFUSES(#name " in device code") \
  __device__ cudaError_t name(Types...);
TORCHADA_FOR_EACH(TORCHADA_OF_GRAPHS, cudaGraphSetConditional, cudaGraphKernelNodeSetParam,
                  cudaGraphKernelNodeSetEnabled, cudaGraphKernelNodeSetGridDim,
                  cudaGraphKernelNodeUpdatesApply)
#undef TORCHADA_OF_GRAPHS
TORCHADA_REFUSES("a graph in device code") __device__ cudaGraphExec_t cudaGetCurrentGraphExec();
// A grid begins when the one before has ended.
TORCHADA_DEVICE void cudaGridDependencySynchronize() {}
TORCHADA_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}
