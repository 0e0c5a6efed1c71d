// What device code finds without including anything. clang reads it before a source, as CUDA for
// the device. What is declared here needs no header of the C library and comes before all of them,
// so that `using ::exp` in <cmath> means the device's functions, too.
#pragma once
#pragma clang system_header

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cluster_dims__(...)  // what a cluster does is refused
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// libcu++'s half and bfloat16 need NVIDIA's types.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#ifdef TORCHADA_AT_RUN_TIME
#define __CUDACC_RTC__ 1
#endif
// TORCHADA_FOR_EACH(MACRO, a, b, ...) is MACRO(a) MACRO(b) ..., of at most 36.
#define TORCHADA_FOR_EACH(macro, ...) TORCHADA_AGAIN36(TORCHADA_NEXT(macro, __VA_ARGS__))
#define TORCHADA_NEXT(macro, first, ...) \
  macro(first) __VA_OPT__(TORCHADA_LATER TORCHADA_NOTHING(macro, __VA_ARGS__))
#define TORCHADA_LATER() TORCHADA_NEXT
#define TORCHADA_NOTHING ()
#define TORCHADA_AGAIN36(...)      \
  TORCHADA_AGAIN6(TORCHADA_AGAIN6( \
      TORCHADA_AGAIN6(TORCHADA_AGAIN6(TORCHADA_AGAIN6(TORCHADA_AGAIN6(__VA_ARGS__))))))
#define TORCHADA_AGAIN6(...) \
  TORCHADA_AGAIN(            \
      TORCHADA_AGAIN(TORCHADA_AGAIN(TORCHADA_AGAIN(TORCHADA_AGAIN(TORCHADA_AGAIN(__VA_ARGS__))))))
#define TORCHADA_AGAIN(...) __VA_ARGS__

#define TORCHADA_DEVICE __device__ inline
#define TORCHADA_BOTH __host__ __device__ inline
// The pass refuses a call of it that a kernel reaches.
#define TORCHADA_REFUSES(what) __attribute__((error("torchada: " what)))

#include "torchada_threads.h"
#include "torchada_vectors.h"
//
#include "torchada_c.h"
#include "torchada_math.h"
//
#include "torchada_atomics.h"
#include "torchada_old.h"
#include "torchada_refused.h"
#include "torchada_simd.h"
#include "torchada_textures.h"
#include "torchada_warps.h"

#ifndef TORCHADA_AT_RUN_TIME
// As nvcc, which reads cuda_runtime.h before a source.
#include <cuda_runtime.h>
#endif
