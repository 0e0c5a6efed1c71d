// Functions of device code that the C library lacks. The others, sinf to tgamma, are the C
// library's.
#pragma once

#include "torchada_threads.h"

#define TORCHADA_INT_PAIR(A, B, R)                        \
  TORCHADA_DEVICE constexpr R min(A a, B b) {             \
    return static_cast<R>(b) < static_cast<R>(a) ? b : a; \
  }                                                       \
  TORCHADA_DEVICE constexpr R max(A a, B b) {             \
    return static_cast<R>(a) < static_cast<R>(b) ? b : a; \
  }
#define TORCHADA_FLOAT_PAIR(A, B, R, fmin, fmax)         \
  TORCHADA_DEVICE R min(A a, B b) { return fmin(a, b); } \
  TORCHADA_DEVICE R max(A a, B b) { return fmax(a, b); }
#define TORCHADA_INTS(type) TORCHADA_INT_PAIR(type, type, type)
TORCHADA_FOR_EACH(TORCHADA_INTS, int, unsigned int, long, unsigned long, long long,
                  unsigned long long)
#undef TORCHADA_INTS
TORCHADA_INT_PAIR(int, unsigned int, unsigned int)
TORCHADA_INT_PAIR(unsigned int, int, unsigned int)
TORCHADA_FLOAT_PAIR(float, float, float, fminf, fmaxf)
TORCHADA_FLOAT_PAIR(double, double, double, fmin, fmax)
TORCHADA_FLOAT_PAIR(float, double, double, fmin, fmax)
TORCHADA_FLOAT_PAIR(double, float, double, fmin, fmax)
#undef TORCHADA_INT_PAIR
#undef TORCHADA_FLOAT_PAIR
TORCHADA_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
TORCHADA_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }

TORCHADA_DEVICE float rsqrtf(float x) { return 1 / sqrtf(x); }
TORCHADA_DEVICE double rsqrt(double x) { return 1 / sqrt(x); }
TORCHADA_DEVICE float rsqrt(float x) { return rsqrtf(x); }
TORCHADA_DEVICE float rcbrtf(float x) { return 1 / cbrtf(x); }
TORCHADA_DEVICE double rcbrt(double x) { return 1 / cbrt(x); }
TORCHADA_DEVICE float sinpif(float x) { return static_cast<float>(sin(x * M_PI)); }
TORCHADA_DEVICE double sinpi(double x) { return sin(remainder(x, 2) * M_PI); }
TORCHADA_DEVICE float cospif(float x) { return static_cast<float>(cos(x * M_PI)); }
TORCHADA_DEVICE double cospi(double x) { return cos(remainder(x, 2) * M_PI); }
TORCHADA_DEVICE void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
TORCHADA_DEVICE float erfcxf(float x) {
  return static_cast<float>(exp(static_cast<double>(x) * x) * erfc(static_cast<double>(x)));
}
TORCHADA_DEVICE float normcdff(float x) { return 0.5F * erfcf(-x * static_cast<float>(M_SQRT1_2)); }
TORCHADA_DEVICE double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
TORCHADA_DEVICE float __saturatef(float x) { return x >= 0 ? (x <= 1 ? x : 1) : 0; }
TORCHADA_DEVICE float fdividef(float a, float b) { return a / b; }
TORCHADA_DEVICE float __fdividef(float a, float b) { return a / b; }
// The fast functions are as exact as the others here.
#define TORCHADA_FAST(name) \
  TORCHADA_DEVICE float __##name(float x) { return name(x); }
TORCHADA_FOR_EACH(TORCHADA_FAST, sinf, cosf, tanf, expf, logf, log2f, log10f)
#undef TORCHADA_FAST
TORCHADA_DEVICE float __exp10f(float x) { return powf(10, x); }
TORCHADA_DEVICE float __powf(float x, float y) { return powf(x, y); }
TORCHADA_DEVICE void __sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }

#define TORCHADA_ROUNDED(type, prefix, fma_function, sqrt_function)             \
  TORCHADA_DEVICE type __##prefix##add_rn(type a, type b) { return a + b; }     \
  TORCHADA_DEVICE type __##prefix##sub_rn(type a, type b) { return a - b; }     \
  TORCHADA_DEVICE type __##prefix##mul_rn(type a, type b) { return a * b; }     \
  TORCHADA_DEVICE type __##prefix##div_rn(type a, type b) { return a / b; }     \
  TORCHADA_DEVICE type __##prefix##sqrt_rn(type a) { return sqrt_function(a); } \
  TORCHADA_DEVICE type __##prefix##rcp_rn(type a) { return 1 / a; }
TORCHADA_ROUNDED(float, f, fmaf, sqrtf)
TORCHADA_ROUNDED(double, d, fma, sqrt)
#undef TORCHADA_ROUNDED
TORCHADA_DEVICE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
TORCHADA_DEVICE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
TORCHADA_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }

// Rounded down, up, or towards 0, as the CPU does it. `volatile` keeps the operation between.
namespace torchada {
template <typename T, typename Operation>
TORCHADA_DEVICE float rounded(int direction, T value, Operation operation) {
  const int before = fegetround();
  fesetround(direction);
  volatile T operand = value;
  volatile float result = operation(operand);
  fesetround(before);
  return result;
}
}  // namespace torchada
#define TORCHADA_DIRECTED(suffix, direction)                                                    \
  TORCHADA_DEVICE float __fmaf_##suffix(float a, float b, float c) {                            \
    return torchada::rounded(direction, a, [b, c](float x) { return fmaf(x, b, c); });          \
  }                                                                                             \
  TORCHADA_DEVICE float __fadd_##suffix(float a, float b) { return __fmaf_##suffix(a, 1, b); }  \
  TORCHADA_DEVICE float __fsub_##suffix(float a, float b) { return __fmaf_##suffix(b, -1, a); } \
  TORCHADA_DEVICE float __fmul_##suffix(float a, float b) { return __fmaf_##suffix(a, b, 0); }  \
  TORCHADA_DEVICE float __fdiv_##suffix(float a, float b) {                                     \
    return torchada::rounded(direction, a, [b](float x) { return x / b; });                     \
  }                                                                                             \
  TORCHADA_DEVICE float __frcp_##suffix(float a) { return __fdiv_##suffix(1, a); }              \
  TORCHADA_DEVICE float __fsqrt_##suffix(float a) {                                             \
    return torchada::rounded(direction, a, [](float x) { return sqrtf(x); });                   \
  }                                                                                             \
  TORCHADA_DEVICE float __int2float_##suffix(int a) {                                           \
    return torchada::rounded(direction, a, [](int x) { return static_cast<float>(x); });        \
  }
TORCHADA_DIRECTED(rd, FE_DOWNWARD)
TORCHADA_DIRECTED(ru, FE_UPWARD)
TORCHADA_DIRECTED(rz, FE_TOWARDZERO)
#undef TORCHADA_DIRECTED

namespace torchada {
// The bits of a value as another type of its size: gcc 10 lacks __builtin_bit_cast.
template <typename To, typename From>
TORCHADA_DEVICE To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  return *static_cast<To*>(__builtin_memcpy(&to, &from, sizeof to));
}
// Conversions of floats outside of an integer's range give its nearest end, and of NaN 0.
template <typename To, typename From>
TORCHADA_DEVICE To to_integer(From x) {
  if (x != x) return 0;
  constexpr To kLeast = std::numeric_limits<To>::min();
  constexpr To kMost = std::numeric_limits<To>::max();
  if (x <= static_cast<From>(kLeast)) return kLeast;
  return x >= static_cast<From>(kMost) ? kMost : static_cast<To>(x);
}
}  // namespace torchada
#define TORCHADA_TO_INTEGER(from, name, type, suffix)                                             \
  TORCHADA_DEVICE type name##_rn(from x) { return torchada::to_integer<type>(rint##suffix(x)); }  \
  TORCHADA_DEVICE type name##_rz(from x) { return torchada::to_integer<type>(trunc##suffix(x)); } \
  TORCHADA_DEVICE type name##_ru(from x) { return torchada::to_integer<type>(ceil##suffix(x)); }  \
  TORCHADA_DEVICE type name##_rd(from x) { return torchada::to_integer<type>(floor##suffix(x)); }
#define TORCHADA_INTEGER(name, type)                                                  \
  TORCHADA_TO_INTEGER(float, __float2##name, type, f)                                 \
  TORCHADA_TO_INTEGER(double, __double2##name, type, )                                \
  TORCHADA_DEVICE float __##name##2float_rn(type x) { return static_cast<float>(x); } \
  TORCHADA_DEVICE double __##name##2double_rn(type x) { return static_cast<double>(x); }
TORCHADA_INTEGER(int, int)
TORCHADA_INTEGER(uint, unsigned int)
TORCHADA_INTEGER(ll, long long)
TORCHADA_INTEGER(ull, unsigned long long)
#undef TORCHADA_INTEGER
#undef TORCHADA_TO_INTEGER
TORCHADA_DEVICE float __double2float_rn(double x) { return static_cast<float>(x); }

TORCHADA_DEVICE int __float_as_int(float x) { return torchada::as<int>(x); }
TORCHADA_DEVICE unsigned int __float_as_uint(float x) { return torchada::as<unsigned int>(x); }
TORCHADA_DEVICE float __int_as_float(int x) { return torchada::as<float>(x); }
TORCHADA_DEVICE float __uint_as_float(unsigned int x) { return torchada::as<float>(x); }
TORCHADA_DEVICE long long __double_as_longlong(double x) { return torchada::as<long long>(x); }
TORCHADA_DEVICE double __longlong_as_double(long long x) { return torchada::as<double>(x); }

TORCHADA_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
TORCHADA_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
TORCHADA_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
TORCHADA_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
TORCHADA_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
TORCHADA_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
TORCHADA_DEVICE unsigned int __brev(unsigned int x) {
  unsigned int reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
  return reversed;
}
TORCHADA_DEVICE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}
TORCHADA_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int pick = selector >> (4 * i) & 15;
    unsigned int byte = static_cast<unsigned int>(both >> (8 * (pick & 7)) & 255);
    if ((pick & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
TORCHADA_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
  return static_cast<unsigned int>(((1ULL * high << 32) | low) << (by & 31) >> 32);
}
TORCHADA_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
  return static_cast<unsigned int>(((1ULL * high << 32) | low) >> (by & 31));
}
TORCHADA_DEVICE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
TORCHADA_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
TORCHADA_DEVICE int __mulhi(int a, int b) { return static_cast<int>(1LL * a * b >> 32); }
TORCHADA_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(1ULL * a * b >> 32);
}
TORCHADA_DEVICE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
TORCHADA_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
TORCHADA_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  return c + static_cast<unsigned int>(a > b ? a - b : b - a);
}
TORCHADA_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) {
    c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  }
  return c;
}

// Loads and stores with a hint for a cache.
#define TORCHADA_LOAD(name)               \
  template <typename T>                   \
  TORCHADA_DEVICE T name(const T* from) { \
    return *from;                         \
  }
#define TORCHADA_STORE(name)                  \
  template <typename T>                       \
  TORCHADA_DEVICE void name(T* to, T value) { \
    *to = value;                              \
  }
TORCHADA_FOR_EACH(TORCHADA_LOAD, __ldg, __ldcg, __ldca, __ldcs, __ldlu, __ldcv)
TORCHADA_FOR_EACH(TORCHADA_STORE, __stwb, __stcg, __stcs, __stwt)
#undef TORCHADA_LOAD
#undef TORCHADA_STORE
