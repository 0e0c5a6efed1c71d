#pragma once
#define __CUDA_BF16_H__  // of a toolkit's own header
#include "torchada_narrow.h"
TORCHADA_NARROW(__nv_bfloat16, __nv_bfloat162, bfloat16, torchada::bfloat_bits,
                torchada::bfloat_value)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
