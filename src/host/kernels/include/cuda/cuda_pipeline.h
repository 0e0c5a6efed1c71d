// Copies into shared memory. They are done when the call returns.
#pragma once
#define _CUDA_PIPELINE_H_  // of a toolkit's own header
#define _CUDA_PIPELINE_PRIMITIVES_H_
#include "cuda_awbarrier_primitives.h"
#include "torchada_device.h"

TORCHADA_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t size,
                                             size_t zeros = 0) {
  memcpy(to, from, size - zeros);
  memset(static_cast<char*>(to) + size - zeros, 0, zeros);
}
TORCHADA_DEVICE void __pipeline_commit() {}
TORCHADA_DEVICE void __pipeline_wait_prior(size_t) {}
TORCHADA_DEVICE void __pipeline_arrive_on(__mbarrier_t*) {}  // counted and done
