// What host code beside kernels says, as programs write it. Compiled without a toolkit.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* values) { values[threadIdx.x] = 1; }
__constant__ float weights[4];
__device__ int counter;
__managed__ int total;

struct Owned {
  cudaStream_t stream;
  cudaDeviceProp properties;
  cudaIpcMemHandle_t handle;
  cudaTextureObject_t texture;
  cudaPointerAttributes attributes;
  cudaMemPool_t pool;
};

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t status = (call);                                            \
    if (status != cudaSuccess) std::printf("%s\n", cudaGetErrorString(status));   \
  } while (0)

void memory() {
  float* values;
  CHECK(cudaMalloc(&values, 4));
  CHECK(cudaMalloc((void**)&values, 4));
  CHECK(cudaMallocHost(&values, 4));
  CHECK(cudaMallocManaged(&values, 4));
  CHECK(cudaHostAlloc(&values, 4, cudaHostAllocMapped));
  CHECK(cudaMemcpyAsync(values, values, 4, cudaMemcpyDefault));
  CHECK(cudaMemsetAsync(values, 0, 4));
  CHECK(cudaMemcpyToSymbol(weights, values, 16));
  CHECK(cudaMemcpyFromSymbol(values, counter, 4, 0, cudaMemcpyDeviceToHost));
  void* address;
  CHECK(cudaGetSymbolAddress(&address, counter));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, 4, 4));
  cudaPitchedPtr pitched = make_cudaPitchedPtr(values, 4, 2, 3);
  CHECK(cudaMalloc3D(&pitched, make_cudaExtent(1, 2, 3)));
}

void launches(float* values) {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  fill<<<1, 1>>>(values);
  fill<<<dim3(1, 2), 64, 0, stream>>>(values);
  void* arguments[] = {&values};
  CHECK(cudaLaunchKernel(fill, 1, 1, arguments));
  CHECK(cudaLaunchKernel((void*)fill, dim3(1), dim3(1), arguments, 0, stream));
  CHECK(cudaLaunchCooperativeKernel((void*)fill, dim3(1), dim3(1), arguments));
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  CHECK(cudaLaunchKernelEx(&config, fill, values));
  int blocks, threads;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, fill, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 128, 0));
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  CHECK(cudaLaunchHostFunc(stream, [](void*) {}, nullptr));
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaEventRecord(event));
  CHECK(cudaStreamWaitEvent(stream, event));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
}

CUresult driver() {
  CUdevice device;
  CUcontext context;
  CUdeviceptr memory;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  return cuMemAlloc(&memory, 4);
}

int main() {
  Owned owned;
  CHECK(cudaGetDeviceProperties(&owned.properties, 0));
  int rate;
  CHECK(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0));
  return max(rate, 1) + min(1.F, 2.F) + total + (driver() == CUDA_SUCCESS) + CUDART_VERSION;
}
