// The functions of CUDA's runtime and driver that the tests call.
#pragma once

#include <cstddef>

extern "C" {
int cudaMalloc(void** memory, std::size_t bytes);
int cudaFree(void* memory);
int cudaMemset(void* memory, int value, std::size_t bytes);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int direction);
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int direction, void* stream);
int cudaStreamCreate(void** stream);
int cudaStreamDestroy(void* stream);
int cudaStreamSynchronize(void* stream);
int cudaDeviceSynchronize();
int cudaGetDevice(int* device);
int cuModuleLoad(void** module, const char* file);
int cuModuleUnload(void* module);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void* stream, void** parameters, void** extra);
}
