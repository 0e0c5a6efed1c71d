#pragma once
// Of a toolkit's own header; programs ask for them.
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
#include "torchada_narrow.h"
TORCHADA_NARROW(__nv_bfloat16, __nv_bfloat162, bfloat16, torchada::bfloat_bits,
                torchada::bfloat_value)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fffU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7fU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80U)
