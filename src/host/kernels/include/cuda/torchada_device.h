// What device code finds without including anything, as C++ for the CPU. The translator parses
// sources with it (TORCHADA_PARSE, libclang's CUDA mode), and the system's compiler compiles them
// with it.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && !defined(TORCHADA_PARSE)
// The state of the running thread stays in a register that no other function uses. So reading
// threadIdx is one load.
#if defined(__x86_64__)
register struct torchada_state* torchada_self asm("r15");
#else
register struct torchada_state* torchada_self asm("x28");
#endif
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
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 700
#endif
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define CUDARTAPI
#define CUDART_CB

#include <assert.h>
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
#include <limits>
#include <type_traits>
#include <utility>

#include "torchada_vectors.h"
#ifdef TORCHADA_PARSE
#pragma clang force_cuda_host_device end
#endif

#define TORCHADA_DEVICE __host__ __device__ inline

#include "torchada_atomics.h"
#include "torchada_host_code.h"
#include "torchada_math.h"
#include "torchada_refused.h"
#include "torchada_threads.h"
#include "torchada_warps.h"
