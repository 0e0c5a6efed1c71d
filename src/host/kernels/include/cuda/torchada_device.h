// What device code finds without including anything, as C++ for the CPU. The translator parses
// sources with it (TORCHADA_PARSE, libclang's CUDA mode), and the system's compiler compiles them
// with it.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && !defined(TORCHADA_PARSE)
// The state of the running thread stays in a register that no other function uses. So reading
// threadIdx is one load.
register struct torchada_state* torchada_self asm("r15");
#define TORCHADA_SELF_IN_REGISTER
#endif

#ifdef TORCHADA_PARSE
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
// Functions without attributes, those of the C and C++ libraries, are for both sides.
#pragma clang force_cuda_host_device begin
#else
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#endif
#define __noinline__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cluster_dims__(...) TORCHADA_CLUSTERS
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
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
// The name of what stands for an explicit instantiation.
#define TORCHADA_JOINED(a, b) a##b
#define TORCHADA_JOIN(a, b) TORCHADA_JOINED(a, b)
#define TORCHADA_INSTANTIATION TORCHADA_JOIN(torchada_instantiation_, __COUNTER__)
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 700
#endif
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define CUDARTAPI
#define CUDART_CB
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
// Headers of a CUDA toolkit that lie beside others of it are found before ours. These make them
// empty: what they declare is here.
#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

// The C library's clock() counts something else; ours (torchada_threads.h) has its name.
#define clock torchada_clock_of_c
#include <time.h>
#undef clock
inline clock_t clock();

#include <assert.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <type_traits>
#include <utility>

#include "torchada_host_code.h"
#include "torchada_vectors.h"
#ifdef TORCHADA_PARSE
#pragma clang force_cuda_host_device end
#endif

#define TORCHADA_DEVICE __host__ __device__ inline
// The translator refuses what uses it.
#define TORCHADA_REFUSES(what) __attribute__((annotate("torchada: " what)))

#include "torchada_atomics.h"
#include "torchada_math.h"
#include "torchada_refused.h"
#include "torchada_threads.h"
#include "torchada_warps.h"
