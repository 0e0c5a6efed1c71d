// As cuda_fp8.h.
#pragma once
#include "cuda_fp8.h"
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#include_next <cuda_fp4.h>
#pragma pop_macro("__CUDA_ARCH__")
