#pragma once
#include "cuda_runtime.h"
#if !defined(TORCHADA_AT_RUN_TIME) && __has_include_next(<cuda.h>)
#include_next <cuda.h>
#elif !defined(CUDA_VERSION)
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#endif
