// What CUDA's majors spell differently, in one spelling.
#ifndef TORCHADA_TESTS_CONFORMANCE_MAJORS_H_
#define TORCHADA_TESTS_CONFORMANCE_MAJORS_H_

#include "cuda.h"

// A device, or the host if it is cudaCpuDeviceId.
inline cudaMemLocation location(int device) {
  cudaMemLocation made{};
  // The host has no name before CUDA 12.2; its number is 2.
  made.type =
      device == cudaCpuDeviceId ? static_cast<cudaMemLocationType>(2) : cudaMemLocationTypeDevice;
  made.id = device == cudaCpuDeviceId ? 0 : device;
  return made;
}

// CUDA 13 folds the _v2 forms, which take a location, into the plain names.
inline cudaError_t prefetch(const void* memory, size_t size, int device, cudaStream_t stream) {
#if CUDA_MAJOR >= 13
  return cudaMemPrefetchAsync(memory, size, location(device), 0, stream);
#else
  return cudaMemPrefetchAsync(memory, size, device, stream);
#endif
}

inline cudaError_t advise(const void* memory, size_t size, cudaMemoryAdvise advice, int device) {
#if CUDA_MAJOR >= 13
  return cudaMemAdvise(memory, size, advice, location(device));
#else
  return cudaMemAdvise(memory, size, advice, device);
#endif
}

// The one that fills the whole cudaDeviceProp of the major.
inline cudaError_t properties_of(cudaDeviceProp* properties, int device) {
#if CUDA_MAJOR == 12
  return cudaGetDeviceProperties_v2(properties, device);
#else
  return cudaGetDeviceProperties(properties, device);
#endif
}

#endif  // TORCHADA_TESTS_CONFORMANCE_MAJORS_H_
