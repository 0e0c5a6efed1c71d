// CUDA as programs of one major see it: the emitted declarations, and the constants that are macros
// in NVIDIA's headers.
#ifndef TORCHADA_TESTS_CONFORMANCE_CUDA_H_
#define TORCHADA_TESTS_CONFORMANCE_CUDA_H_

#if CUDA_MAJOR == 11
#include "cuda11.h"
#elif CUDA_MAJOR == 12
#include "cuda12.h"
#elif CUDA_MAJOR == 13
#include "cuda13.h"
#else
#error "CUDA_MAJOR is 11, 12 or 13"
#endif

constexpr unsigned int cudaStreamDefault = 0;
constexpr unsigned int cudaStreamNonBlocking = 1;
inline const cudaStream_t cudaStreamLegacy = reinterpret_cast<cudaStream_t>(1);
inline const cudaStream_t cudaStreamPerThread = reinterpret_cast<cudaStream_t>(2);

constexpr unsigned int cudaEventDisableTiming = 2;
constexpr unsigned int cudaEventInterprocess = 4;
constexpr unsigned int cudaEventRecordExternal = 1;

constexpr unsigned int cudaHostAllocPortable = 1;
constexpr unsigned int cudaHostAllocMapped = 2;
constexpr unsigned int cudaHostRegisterMapped = 2;
constexpr unsigned int cudaMemAttachGlobal = 1;
constexpr unsigned int cudaMemAttachHost = 2;
constexpr unsigned int cudaMemAttachSingle = 4;
constexpr unsigned int cudaIpcMemLazyEnablePeerAccess = 1;

constexpr unsigned int cudaArrayLayered = 1;
constexpr unsigned int cudaArraySurfaceLoadStore = 2;
constexpr unsigned int cudaArrayCubemap = 4;
constexpr unsigned int cudaArrayTextureGather = 8;

constexpr unsigned int cudaDeviceScheduleSpin = 1;
constexpr unsigned int cudaDeviceScheduleYield = 2;
constexpr unsigned int cudaDeviceScheduleMask = 7;
constexpr unsigned int cudaInitDeviceFlagsAreValid = 1;

constexpr int cudaCpuDeviceId = -1;
constexpr int cudaInvalidDeviceId = -2;

#endif  // TORCHADA_TESTS_CONFORMANCE_CUDA_H_
