#pragma once
// Of a toolkit's own header; programs ask for them.
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__
#include "torchada_narrow.h"
TORCHADA_NARROW(__half, __half2, half, torchada::half_bits, torchada::half_value)
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
#define CUDART_INF_FP16 __ushort_as_half(0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fffU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bffU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00U)
