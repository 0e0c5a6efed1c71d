#pragma once
#include "torchada_narrow.h"
using __nv_bfloat16 = torchada::Narrow<torchada::bfloat_bits, torchada::bfloat_value>;
using __nv_bfloat162 = torchada::Pair<__nv_bfloat16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
TORCHADA_NARROW(__nv_bfloat16, __nv_bfloat162, bfloat16)
