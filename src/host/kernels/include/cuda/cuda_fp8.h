// The toolkit's, on our half and bfloat16. Without an architecture it has no instructions.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
//
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#include_next <cuda_fp8.h>
#pragma pop_macro("__CUDA_ARCH__")
