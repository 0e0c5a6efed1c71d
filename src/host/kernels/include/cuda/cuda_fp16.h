#pragma once
#include "torchada_narrow.h"
using __half = torchada::Narrow<torchada::half_bits, torchada::half_value>;
using __half2 = torchada::Pair<__half>;
using half = __half;
using half2 = __half2;
TORCHADA_NARROW(__half, __half2, half)
