// Threads, blocks and what the engine does for them.
#pragma once

#include "torchada_vectors.h"

// The pass puts the running thread's in their place.
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
static constexpr int warpSize = TORCHADA_WARP_SIZE;

namespace torchada {
// How the threads of a warp meet: torchada_meeting in torchada_image.h.
enum Meeting { kSync, kRead, kVote, kMatch, kActive };
}  // namespace torchada

// The device runtime (src/host/kernels/device).
extern "C" {
__device__ int torchada_barrier(int vote);  // how many votes are not 0
// One thread of each block of a cooperative launch. 0: it is none. Without `wait` it only answers.
__device__ int torchada_grid_barrier(int wait);
__device__ unsigned long long torchada_meet(int meeting, unsigned int mask,
                                            unsigned long long value, unsigned int argument);
__device__ void torchada_spin_here(void);  // where a thread may be waiting for another one
__device__ void torchada_yield(void);
__device__ long long torchada_clock(void);
__device__ unsigned int torchada_thread_index(void);  // in the block
__device__ unsigned int torchada_thread_count(void);
__device__ unsigned int torchada_dynamic_size(void);
__device__ unsigned char* torchada_shared_begin(void);  // the block's shared memory
__device__ unsigned char* torchada_shared_end(void);
__device__ void torchada_trap(void) __attribute__((noreturn));
__device__ void torchada_exit(void) __attribute__((noreturn));
__device__ void torchada_assert_fail(const char* what, const char* file, unsigned int line,
                                     const char* function) __attribute__((noreturn));
}

// To clang, __syncthreads itself is an instruction of NVIDIA's.
#define __syncthreads torchada_syncthreads
TORCHADA_DEVICE void torchada_syncthreads() { torchada_barrier(0); }
// There is one barrier for all threads, whatever its number.
TORCHADA_DEVICE void __barrier_sync(unsigned int) { torchada_barrier(0); }
TORCHADA_REFUSES("a barrier of some threads (__barrier_sync_count)")
__device__ void __barrier_sync_count(unsigned int, unsigned int);
TORCHADA_DEVICE int __syncthreads_count(int predicate) { return torchada_barrier(predicate); }
TORCHADA_DEVICE int __syncthreads_and(int predicate) { return !torchada_barrier(!predicate); }
TORCHADA_DEVICE int __syncthreads_or(int predicate) { return torchada_barrier(predicate) != 0; }

// A fence is also where a thread that waits for a flag passes: the others get their turn.
TORCHADA_DEVICE void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  torchada_spin_here();
}
TORCHADA_DEVICE void __threadfence_block() { __threadfence(); }
TORCHADA_DEVICE void __threadfence_system() { __threadfence(); }
TORCHADA_DEVICE void __threadfence_cluster() { __threadfence(); }
TORCHADA_DEVICE void __nanosleep(unsigned int) { torchada_yield(); }

TORCHADA_DEVICE void __trap() { torchada_trap(); }
TORCHADA_DEVICE void __brkpt() {}
TORCHADA_DEVICE void __prof_trigger(int) {}
