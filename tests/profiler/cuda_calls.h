// The functions of CUDA's runtime and driver that the tests call.
#pragma once

#include <cstddef>

extern "C" {
int cudaMalloc(void** memory, std::size_t bytes);
int cudaFree(void* memory);
int cudaMemset(void* memory, int value, std::size_t bytes);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int direction);
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int direction, void* stream);
int cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
int cudaSetDevice(int device);
int cudaStreamCreate(void** stream);
int cudaStreamDestroy(void* stream);
int cudaStreamSynchronize(void* stream);
int cudaDeviceSynchronize();
int cudaGetDevice(int* device);
int cuCtxCreate_v2(void** context, unsigned flags, int device);
int cuCtxDestroy_v2(void* context);
int cuCtxGetCurrent(void** context);
int cuMemcpyPeer(unsigned long long to, void* to_context, unsigned long long from,
                 void* from_context, std::size_t bytes);
int cuModuleLoad(void** module, const char* file);
int cuModuleUnload(void* module);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void* stream, void** parameters, void** extra);
}
