// What CUDA's headers have kept since its first releases: functions of doubles that get a direction
// of rounding, and some without underscores.
#pragma once

#include "torchada_math.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#define TORCHADA_OLD(result, name, parameters, function, arguments, usual)                \
  TORCHADA_DEVICE result name(TORCHADA_OLD_LIST parameters, cudaRoundMode mode = usual) { \
    return mode == cudaRoundNearest  ? function##_rn arguments                            \
           : mode == cudaRoundZero   ? function##_rz arguments                            \
           : mode == cudaRoundPosInf ? function##_ru arguments                            \
                                     : function##_rd arguments;                           \
  }
#define TORCHADA_OLD_LIST(...) __VA_ARGS__
TORCHADA_OLD(double, dadd, (double a, double b), __dadd, (a, b), cudaRoundNearest)
TORCHADA_OLD(double, dsub, (double a, double b), __dsub, (a, b), cudaRoundNearest)
TORCHADA_OLD(double, dmul, (double a, double b), __dmul, (a, b), cudaRoundNearest)
TORCHADA_OLD(int, double2int, (double a), __double2int, (a), cudaRoundZero)
TORCHADA_OLD(unsigned int, double2uint, (double a), __double2uint, (a), cudaRoundZero)
TORCHADA_OLD(long long, double2ll, (double a), __double2ll, (a), cudaRoundZero)
TORCHADA_OLD(unsigned long long, double2ull, (double a), __double2ull, (a), cudaRoundZero)
TORCHADA_OLD(double, ll2double, (long long a), __ll2double, (a), cudaRoundNearest)
TORCHADA_OLD(double, ull2double, (unsigned long long a), __ull2double, (a), cudaRoundNearest)
#undef TORCHADA_OLD
#undef TORCHADA_OLD_LIST
TORCHADA_DEVICE double fma(double a, double b, double c, cudaRoundMode mode) {
  return mode == cudaRoundNearest  ? __fma_rn(a, b, c)
         : mode == cudaRoundZero   ? __fma_rz(a, b, c)
         : mode == cudaRoundPosInf ? __fma_ru(a, b, c)
                                   : __fma_rd(a, b, c);
}
#define TORCHADA_EXACTLY(name, type) \
  TORCHADA_DEVICE double name(type a, cudaRoundMode = cudaRoundNearest) { return a; }
TORCHADA_EXACTLY(int2double, int)
TORCHADA_EXACTLY(uint2double, unsigned int)
TORCHADA_EXACTLY(float2double, float)
#undef TORCHADA_EXACTLY

TORCHADA_DEVICE bool syncthreads_and(bool predicate) { return __syncthreads_and(predicate) != 0; }
TORCHADA_DEVICE bool syncthreads_or(bool predicate) { return __syncthreads_or(predicate) != 0; }
TORCHADA_DEVICE int syncthreads_count(bool predicate) { return __syncthreads_count(predicate); }
TORCHADA_REFUSES("a vote without a mask") __device__ bool all(bool);
TORCHADA_REFUSES("a vote without a mask") __device__ bool any(bool);
TORCHADA_REFUSES("a vote without a mask") __device__ unsigned int ballot(bool);
