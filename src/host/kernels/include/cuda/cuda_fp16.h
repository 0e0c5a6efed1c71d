#pragma once
#define __CUDA_FP16_H__  // of a toolkit's own header
#include "torchada_narrow.h"
TORCHADA_NARROW(__half, __half2, half, torchada::half_bits, torchada::half_value)
using half = __half;
using half2 = __half2;
