// What host code sees: clang checks it, too, though nothing becomes of it. Types and functions are
// a toolkit's if there is one, else those of CUDA 12 that the tables of CUDA's libraries tell.
#pragma once
#pragma clang system_header

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
//
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

// Launches.
struct CUstream_st;
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, CUstream_st* = nullptr);
extern "C" unsigned int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, CUstream_st* = nullptr);

#if __has_include_next(<cuda_runtime.h>)

// What a toolkit's headers for device code declare is ours, and so are the words of the language.
#define __NV_NO_HOST_COMPILER_CHECK 1
#define __HOST_DEFINES_H__
#define __COMMON_FUNCTIONS_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __MATH_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SURFACE_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __annotate__(a) __attribute__((a))
#define __cdecl
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __export__
#define __import__
#define __inline_hint__
#define __location__(a) __attribute__((a))
#define __no_return__ __attribute__((noreturn))
#define __nv_pure__
#define __specialization_static
#define __thread__ __thread
#include_next <cuda_runtime_api.h>
#if CUDART_VERSION < 12000
// Texture and surface references, which CUDA 12 removed, have no name for programs.
#define __CUDA_SURFACE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__
template <typename, int, auto>
struct torchada_texture;
template <typename, int>
struct torchada_surface;
#define texture torchada_texture
#define surface torchada_surface
#endif
#include_next <cuda_runtime.h>
#undef texture
#undef surface

#else

#define CUDARTAPI
#define CUDART_CB
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#include "torchada_api.h"

// What is no more than a header's.
typedef cudaError_t cudaError;
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceMapHost 0x08
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)
template <typename Type>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {};
}
cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth);
cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height);
cudaPos make_cudaPos(size_t x, size_t y, size_t z);
// C++ has these with types and numbers of arguments of its own.
#define TORCHADA_HOST(name)      \
  template <typename... Types>   \
  cudaError_t name(Types&&...) { \
    return cudaSuccess;          \
  }
TORCHADA_FOR_EACH(TORCHADA_HOST, cudaLaunchKernelEx, cudaOccupancyMaxPotentialBlockSize,
                  cudaOccupancyMaxPotentialBlockSizeWithFlags,
                  cudaOccupancyMaxPotentialBlockSizeVariableSMem,
                  cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags)
#undef TORCHADA_HOST

#endif

#include "torchada_device_runtime.h"
