// A kernel for each device function of functions.h.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "functions.h"

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

// Those with more results or other arguments.
#define BOTH_TYPES(FUNCTION) FUNCTION(float, f) FUNCTION(double, )
#define WRAPPERS(type, f)                                                                     \
  __device__ type frexp_fraction##f(type x) {                                                 \
    int exponent = 0;                                                                         \
    return frexp##f(x, &exponent);                                                            \
  }                                                                                           \
  __device__ type frexp_exponent##f(type x) {                                                 \
    int exponent = 0;                                                                         \
    const type fraction = frexp##f(x, &exponent);                                             \
    return isfinite(fraction) ? exponent : fraction;                                          \
  }                                                                                           \
  __device__ type ilogb_number##f(type x) { return isfinite(x) ? ilogb##f(x) : fabs(x); }           \
  __device__ type jn3##f(type x) { return jn##f(3, x); }                                      \
  __device__ type yn3##f(type x) { return yn##f(3, x); }                                      \
  __device__ type ldexp5##f(type x) { return ldexp##f(x, 5); }                                \
  __device__ type scalbn5##f(type x) { return scalbn##f(x, 5); }                              \
  __device__ type scalbln5##f(type x) { return scalbln##f(x, 5); }                            \
  __device__ type llrint_number##f(type x) { return isfinite(x) ? llrint##f(x) : x; }         \
  __device__ type llround_number##f(type x) { return isfinite(x) ? llround##f(x) : x; }       \
  __device__ type lrint_number##f(type x) { return isfinite(x) ? lrint##f(x) : x; }           \
  __device__ type lround_number##f(type x) { return isfinite(x) ? lround##f(x) : x; }         \
  __device__ type modf_fraction##f(type x) {                                                  \
    type whole = 0;                                                                           \
    return modf##f(x, &whole);                                                                \
  }                                                                                           \
  __device__ type modf_whole##f(type x) {                                                     \
    type whole = 0;                                                                           \
    modf##f(x, &whole);                                                                       \
    return whole;                                                                             \
  }                                                                                           \
  PAIR_OF(sincos##f, sincos_sine##f, sincos_cosine##f, type)                                  \
  PAIR_OF(sincospi##f, sincospi_sine##f, sincospi_cosine##f, type)                            \
  __device__ type norm3d_with_1##f(type x, type y) { return norm3d##f(x, y, 1); }             \
  __device__ type norm4d_with_1_2##f(type x, type y) { return norm4d##f(x, y, 1, 2); }        \
  __device__ type rnorm3d_with_1##f(type x, type y) { return rnorm3d##f(x, y, 1); }           \
  __device__ type rnorm4d_with_1_2##f(type x, type y) { return rnorm4d##f(x, y, 1, 2); }      \
  __device__ type norm_of_4##f(type x, type y) {                                              \
    const type all[] = {x, y, 1, 2};                                                          \
    return norm##f(4, all);                                                                   \
  }                                                                                           \
  __device__ type rnorm_of_4##f(type x, type y) {                                             \
    const type all[] = {x, y, 1, 2};                                                          \
    return rnorm##f(4, all);                                                                  \
  }                                                                                           \
  __device__ type remquo_rest##f(type x, type y) {                                            \
    int quotient = 0;                                                                         \
    return remquo##f(x, y, &quotient);                                                        \
  }
#define PAIR_OF(function, first, second, type)              \
  __device__ type first(type x) {                           \
    type s = 0, c = 0;                                      \
    return (function(x, &s, &c), s);                        \
  }                                                         \
  __device__ type second(type x) {                          \
    type s = 0, c = 0;                                      \
    return (function(x, &s, &c), c);                        \
  }
BOTH_TYPES(WRAPPERS)
PAIR_OF(__sincosf, fast_sine, fast_cosine, float)

#define KERNEL(kernel, from, to, call)                                         \
  extern "C" __global__ void call_##kernel(const from* x, const from* y, const from* z, to* out) { \
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;              \
    out[i] = call;                                                             \
  }
#define CALL1 (x[i])
#define CALL2 (x[i], y[i])
#define CALL3 (x[i], y[i], z[i])
#define ONE(name, type, reference, ulps, least, most) KERNEL(name, type, type, name CALL1)
#define TWO(name, type, reference, ulps, least, most) KERNEL(name, type, type, name CALL2)
#define ROUNDED(name, type, reference, direction, arguments) \
  KERNEL(name, type, type, name CALL##arguments)
#define CONVERTED(name, from, to, direction) KERNEL(name, from, to, name CALL1)
#define NARROWED(name, type, reference, arguments) \
  KERNEL(name##_of_##type, type, type, name CALL##arguments)
OF_ONE(ONE)
OF_TWO(TWO)
EXACT(ROUNDED)
CONVERSIONS(CONVERTED)
NARROW(NARROWED)

// All of WORDS, one after the other.
#define WORD(call, result, ...) *out++ = static_cast<u64>(static_cast<result>(call));
extern "C" __global__ void words(u32 a, u32 b, u32 c, u64* out) {
  const u64 joined = static_cast<u64>(b) << 32 | a, wide = static_cast<u64>(c) << 32 | b;
  bool first = false, second = false;
  WORDS(WORD)
}
