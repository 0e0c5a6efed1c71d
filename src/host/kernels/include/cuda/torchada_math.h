// Mathematics: what the C library has, by builtins that become instructions or calls of libm, and
// what only device code has.
#pragma once

#include "torchada_threads.h"

namespace torchada {
template <bool kCondition, typename Type>
struct If {};
template <typename Type>
struct If<true, Type> {
  typedef Type type;
};
template <typename Type>
using IfInteger = typename If<__is_integral(Type), double>::type;
template <typename Type, typename Other>
using IfNumbers = typename If<__is_arithmetic(Type) && __is_arithmetic(Other), double>::type;
}  // namespace torchada

// name(double), name(float), namef(float) and name(integer). <cmath>, which comes later, takes them
// into std:: too, and makes none of its own for device code.
#define TORCHADA_STD(name) \
  namespace std {          \
  using ::name;            \
  using ::name##f;         \
  }
#define TORCHADA_UNARY_TO(Result, ResultF, name)                              \
  TORCHADA_DEVICE Result name(double x) { return __builtin_##name(x); }       \
  TORCHADA_DEVICE ResultF name##f(float x) { return __builtin_##name##f(x); } \
  TORCHADA_DEVICE ResultF name(float x) { return __builtin_##name##f(x); }    \
  template <typename Type, typename = torchada::IfInteger<Type>>              \
  TORCHADA_DEVICE Result name(Type x) {                                       \
    return __builtin_##name(static_cast<double>(x));                          \
  }                                                                           \
  TORCHADA_STD(name)
#define TORCHADA_UNARY(name) TORCHADA_UNARY_TO(double, float, name)
TORCHADA_FOR_EACH(TORCHADA_UNARY, acos, acosh, asin, asinh, atan, atanh, ceil, cos, cosh, erf, erfc,
                  exp, exp2, expm1, fabs, floor, lgamma, log, log10, log1p, log2, logb, nearbyint,
                  rint, round, sin, sinh, sqrt, tan, tanh, tgamma, trunc)
TORCHADA_UNARY_TO(int, int, ilogb)
extern "C" __device__ double torchada_cbrt(double);
TORCHADA_DEVICE double cbrt(double x) { return torchada_cbrt(x); }
TORCHADA_DEVICE float cbrtf(float x) { return __builtin_cbrtf(x); }
TORCHADA_DEVICE float cbrt(float x) { return cbrtf(x); }
template <typename Type>
TORCHADA_DEVICE torchada::IfInteger<Type> cbrt(Type x) {
  return torchada_cbrt(static_cast<double>(x));
}
TORCHADA_STD(cbrt)
#define TORCHADA_UNARY_LONG(name) TORCHADA_UNARY_TO(long, long, name)
TORCHADA_FOR_EACH(TORCHADA_UNARY_LONG, lrint, lround)
#define TORCHADA_UNARY_LONG_LONG(name) TORCHADA_UNARY_TO(long long, long long, name)
TORCHADA_FOR_EACH(TORCHADA_UNARY_LONG_LONG, llrint, llround)
#undef TORCHADA_UNARY
#undef TORCHADA_UNARY_LONG
#undef TORCHADA_UNARY_LONG_LONG
#undef TORCHADA_UNARY_TO

#define TORCHADA_BINARY(name)                                                           \
  TORCHADA_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }    \
  TORCHADA_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
  TORCHADA_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }    \
  template <typename Type, typename Other, typename = torchada::IfNumbers<Type, Other>> \
  TORCHADA_DEVICE double name(Type x, Other y) {                                        \
    return __builtin_##name(static_cast<double>(x), static_cast<double>(y));            \
  }                                                                                     \
  TORCHADA_STD(name)
TORCHADA_FOR_EACH(TORCHADA_BINARY, atan2, copysign, fdim, fmax, fmin, fmod, hypot, nextafter, pow,
                  remainder)
#undef TORCHADA_BINARY

// With a second argument of one type.
#define TORCHADA_WITH(name, type)                                                      \
  TORCHADA_DEVICE double name(double x, type y) { return __builtin_##name(x, y); }     \
  TORCHADA_DEVICE float name##f(float x, type y) { return __builtin_##name##f(x, y); } \
  TORCHADA_DEVICE float name(float x, type y) { return __builtin_##name##f(x, y); }    \
  template <typename Type>                                                             \
  TORCHADA_DEVICE torchada::IfInteger<Type> name(Type x, type y) {                     \
    return __builtin_##name(static_cast<double>(x), y);                                \
  }                                                                                    \
  TORCHADA_STD(name)
TORCHADA_WITH(frexp, int*)
TORCHADA_WITH(ldexp, int)
TORCHADA_WITH(scalbn, int)
TORCHADA_WITH(scalbln, long)
#undef TORCHADA_WITH
TORCHADA_DEVICE double modf(double x, double* whole) { return __builtin_modf(x, whole); }
TORCHADA_DEVICE float modff(float x, float* whole) { return __builtin_modff(x, whole); }
TORCHADA_DEVICE float modf(float x, float* whole) { return modff(x, whole); }
TORCHADA_STD(modf)
TORCHADA_DEVICE double remquo(double x, double y, int* q) { return __builtin_remquo(x, y, q); }
TORCHADA_DEVICE float remquof(float x, float y, int* q) { return __builtin_remquof(x, y, q); }
TORCHADA_DEVICE float remquo(float x, float y, int* q) { return remquof(x, y, q); }
TORCHADA_STD(remquo)
TORCHADA_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
TORCHADA_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
TORCHADA_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
TORCHADA_STD(fma)
TORCHADA_DEVICE double nan(const char*) { return __builtin_nan(""); }
TORCHADA_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
TORCHADA_STD(nan)

#define TORCHADA_ABS(type, name, builtin) \
  TORCHADA_DEVICE type name(type x) { return builtin(x); }
TORCHADA_ABS(int, abs, __builtin_abs)
TORCHADA_ABS(long, abs, __builtin_labs)
TORCHADA_ABS(long long, abs, __builtin_llabs)
TORCHADA_ABS(float, abs, __builtin_fabsf)
TORCHADA_ABS(double, abs, __builtin_fabs)
TORCHADA_ABS(long, labs, __builtin_labs)
TORCHADA_ABS(long long, llabs, __builtin_llabs)
#undef TORCHADA_ABS
namespace std {
using ::abs;
using ::labs;
using ::llabs;
}  // namespace std

#define TORCHADA_QUESTION(name, expression)                      \
  TORCHADA_DEVICE bool name(float x) { return expression; }      \
  TORCHADA_DEVICE bool name(double x) { return expression; }     \
  template <typename Type, typename = torchada::IfInteger<Type>> \
  TORCHADA_DEVICE bool name(Type x) {                            \
    return name(static_cast<double>(x));                         \
  }                                                              \
  namespace std {                                                \
  using ::name;                                                  \
  }
TORCHADA_QUESTION(isnan, __builtin_isnan(x))
TORCHADA_QUESTION(isinf, __builtin_isinf(x))
TORCHADA_QUESTION(isfinite, __builtin_isfinite(x))
TORCHADA_QUESTION(isnormal, __builtin_isnormal(x))
TORCHADA_QUESTION(signbit, __builtin_signbit(x))
#undef TORCHADA_QUESTION

#define TORCHADA_QUESTION(name, builtin)                                \
  TORCHADA_DEVICE int name(double x) { return __builtin_##builtin(x); } \
  TORCHADA_DEVICE int name##f(float x) { return __builtin_##builtin(x); }
TORCHADA_QUESTION(__isnan, isnan)
TORCHADA_QUESTION(__isinf, isinf)
TORCHADA_QUESTION(__finite, isfinite)
TORCHADA_QUESTION(__signbit, signbit)
#undef TORCHADA_QUESTION

// The device runtime has these: the C library's of double are not exact enough (also cbrt).
extern "C" {
__device__ double torchada_rcbrt(double);
__device__ double torchada_exp10(double);
__device__ double torchada_normcdf(double);
__device__ double torchada_rnorm(double, double, double, double);
__device__ double torchada_bessel_i(int order, double);
#define TORCHADA_BESSEL(name)                \
  __device__ double torchada_##name(double); \
  __device__ float name##f(float);
TORCHADA_FOR_EACH(TORCHADA_BESSEL, j0, j1, y0, y1)
#undef TORCHADA_BESSEL
__device__ double torchada_jn(int, double);
__device__ double torchada_yn(int, double);
}
#define TORCHADA_BESSEL(name)                                          \
  TORCHADA_DEVICE double name(double x) { return torchada_##name(x); } \
  TORCHADA_DEVICE float name(float x) { return name##f(x); }
TORCHADA_FOR_EACH(TORCHADA_BESSEL, j0, j1, y0, y1)
#undef TORCHADA_BESSEL
#define TORCHADA_BESSEL(name)                                                            \
  TORCHADA_DEVICE double name(int order, double x) { return torchada_##name(order, x); } \
  TORCHADA_DEVICE float name##f(int order, float x) {                                    \
    return static_cast<float>(torchada_##name(order, x));                                \
  }                                                                                      \
  TORCHADA_DEVICE float name(int order, float x) { return name##f(order, x); }
TORCHADA_FOR_EACH(TORCHADA_BESSEL, jn, yn)
#undef TORCHADA_BESSEL
TORCHADA_DEVICE double exp10(double x) { return torchada_exp10(x); }
TORCHADA_DEVICE float exp10f(float x) { return __builtin_exp10f(x); }
TORCHADA_DEVICE float exp10(float x) { return exp10f(x); }
TORCHADA_DEVICE void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
TORCHADA_DEVICE void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
TORCHADA_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }

#define TORCHADA_INT_PAIR(First, Second, Result)                    \
  TORCHADA_BOTH constexpr Result min(First a, Second b) {           \
    return static_cast<Result>(b) < static_cast<Result>(a) ? b : a; \
  }                                                                 \
  TORCHADA_BOTH constexpr Result max(First a, Second b) {           \
    return static_cast<Result>(a) < static_cast<Result>(b) ? b : a; \
  }
#define TORCHADA_FLOAT_PAIR(First, Second, Result, fmin, fmax)                   \
  TORCHADA_BOTH Result min(First a, Second b) { return __builtin_##fmin(a, b); } \
  TORCHADA_BOTH Result max(First a, Second b) { return __builtin_##fmax(a, b); }
#define TORCHADA_INTS(type) TORCHADA_INT_PAIR(type, type, type)
TORCHADA_FOR_EACH(TORCHADA_INTS, int, unsigned int, long, unsigned long, long long,
                  unsigned long long)
#undef TORCHADA_INTS
TORCHADA_INT_PAIR(int, unsigned int, unsigned int)
TORCHADA_INT_PAIR(unsigned int, int, unsigned int)
TORCHADA_INT_PAIR(long, unsigned long, unsigned long)
TORCHADA_INT_PAIR(unsigned long, long, unsigned long)
TORCHADA_INT_PAIR(long long, unsigned long long, unsigned long long)
TORCHADA_INT_PAIR(unsigned long long, long long, unsigned long long)
TORCHADA_FLOAT_PAIR(float, float, float, fminf, fmaxf)
TORCHADA_FLOAT_PAIR(double, double, double, fmin, fmax)
TORCHADA_FLOAT_PAIR(float, double, double, fmin, fmax)
TORCHADA_FLOAT_PAIR(double, float, double, fmin, fmax)
#undef TORCHADA_INT_PAIR
#undef TORCHADA_FLOAT_PAIR
TORCHADA_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
TORCHADA_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }

// One argument; in float by double, which is exact enough.
#define TORCHADA_OWN(name, expression)                         \
  TORCHADA_DEVICE double name(double x) { return expression; } \
  TORCHADA_DEVICE float name##f(float x) {                     \
    return static_cast<float>(name(static_cast<double>(x)));   \
  }                                                            \
  TORCHADA_DEVICE float name(float x) { return name##f(x); }
TORCHADA_DEVICE float rsqrtf(float x) { return 1 / sqrtf(x); }
TORCHADA_DEVICE double rsqrt(double x) { return 1 / sqrt(x); }
TORCHADA_DEVICE float rsqrt(float x) { return rsqrtf(x); }
TORCHADA_OWN(rcbrt, torchada_rcbrt(x))
namespace torchada {
// Exact where it is 0 or 1.
TORCHADA_DEVICE double sine_of_half_turns(double x) {
  const double rest = remainder(x, 2), size = fabs(rest);
  return copysign(sin((size > 0.5 ? 1 - size : size) * 3.14159265358979323846), rest);
}
TORCHADA_DEVICE double cosine_of_half_turns(double x) {
  return sin((0.5 - fabs(remainder(x, 2))) * 3.14159265358979323846);
}
}  // namespace torchada
TORCHADA_OWN(sinpi, torchada::sine_of_half_turns(x))
TORCHADA_OWN(cospi, torchada::cosine_of_half_turns(x))
TORCHADA_DEVICE void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
TORCHADA_DEVICE void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
TORCHADA_DEVICE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
TORCHADA_DEVICE double rhypot(double x, double y) { return 1 / hypot(x, y); }
TORCHADA_DEVICE float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
#define TORCHADA_NORM(type, suffix)                                                             \
  TORCHADA_DEVICE type norm3d##suffix(type a, type b, type c) { return hypot(hypot(a, b), c); } \
  TORCHADA_DEVICE type norm4d##suffix(type a, type b, type c, type d) {                         \
    return hypot(hypot(a, b), hypot(c, d));                                                     \
  }                                                                                             \
  TORCHADA_DEVICE type norm##suffix(int count, const type* values) {                            \
    type all = 0;                                                                               \
    for (int i = 0; i < count; ++i) all = hypot(all, values[i]);                                \
    return all;                                                                                 \
  }                                                                                             \
  TORCHADA_DEVICE type rnorm3d##suffix(type a, type b, type c) {                                \
    return static_cast<type>(torchada_rnorm(a, b, c, 0));                                       \
  }                                                                                             \
  TORCHADA_DEVICE type rnorm4d##suffix(type a, type b, type c, type d) {                        \
    return static_cast<type>(torchada_rnorm(a, b, c, d));                                       \
  }                                                                                             \
  TORCHADA_DEVICE type rnorm##suffix(int count, const type* values) {                           \
    return 1 / norm##suffix(count, values);                                                     \
  }
TORCHADA_NORM(double, )
TORCHADA_NORM(float, f)
#undef TORCHADA_NORM
namespace torchada {
// exp(x * x) * erfc(x); for large x the first terms of its series at infinity.
TORCHADA_DEVICE double scaled_erfc(double x) {
  if (x < -27) return __builtin_huge_val();
  if (x < 25) return exp(x * x) * (1 + fma(x, x, -(x * x))) * erfc(x);
  const double y = 1 / (2 * x * x);
  return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y * (1 - 9 * y * (1 - 11 * y)))))) /
         (x * 1.77245385090551602730);
}
TORCHADA_DEVICE double inverse_erf(double y);
// Steps of Halley's method for erfc(x) = y, from Abramowitz and Stegun's 26.2.22.
TORCHADA_DEVICE double inverse_erfc(double y) {
  if (!(y > 0 && y < 2))
    return y == 0 ? __builtin_huge_val() : y == 2 ? -__builtin_huge_val() : __builtin_nan("");
  if (y >= 0.5 && y <= 1.5) return inverse_erf(1 - y);
  if (y > 1) return -inverse_erfc(2 - y);
  const double t = sqrt(-2 * log(y / 2));
  double x =
      (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t))) * 0.70710678118654752440;
  for (int i = 0; i < 3; ++i) {
    const double slope = 1.12837916709551257390 * exp(-x * x), error = erfc(x) - y;
    if (slope > 0) x += error / (slope - x * error);
  }
  return x;
}
TORCHADA_DEVICE double inverse_erf(double y) {
  if (fabs(y) > 0.5) return y > 0 ? inverse_erfc(1 - y) : -inverse_erfc(1 + y);
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 4; ++i) {
    const double slope = 1.12837916709551257390 * exp(-x * x), error = erf(x) - y;
    x -= error / (slope + x * error);
  }
  return x;
}
}  // namespace torchada
TORCHADA_OWN(erfcx, torchada::scaled_erfc(x))
TORCHADA_OWN(erfinv, torchada::inverse_erf(x))
TORCHADA_OWN(erfcinv, torchada::inverse_erfc(x))
TORCHADA_OWN(normcdf, torchada_normcdf(x))
TORCHADA_OWN(normcdfinv, -1.41421356237309504880 * torchada::inverse_erfc(2 * x))
TORCHADA_OWN(cyl_bessel_i0, torchada_bessel_i(0, x))
TORCHADA_OWN(cyl_bessel_i1, torchada_bessel_i(1, x))
#undef TORCHADA_OWN
TORCHADA_DEVICE float __saturatef(float x) { return x >= 0 ? (x <= 1 ? x : 1) : 0; }
TORCHADA_DEVICE float fdividef(float a, float b) { return a / b; }
TORCHADA_DEVICE double fdivide(double a, double b) { return a / b; }
TORCHADA_DEVICE float __fdividef(float a, float b) { return a / b; }
// The fast functions are as exact as the others here.
#define TORCHADA_FAST(name) \
  TORCHADA_DEVICE float __##name(float x) { return name(x); }
TORCHADA_FOR_EACH(TORCHADA_FAST, sinf, cosf, tanf, tanhf, expf, logf, log2f, log10f)
#undef TORCHADA_FAST
TORCHADA_DEVICE float __exp10f(float x) { return powf(10, x); }
TORCHADA_DEVICE float __powf(float x, float y) { return powf(x, y); }
TORCHADA_DEVICE void __sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }

// Never part of an fma.
#define TORCHADA_EXACT(type, name, operation)               \
  TORCHADA_DEVICE type name(type a, type b) {               \
    _Pragma("clang fp contract(off)") return a operation b; \
  }
#define TORCHADA_ROUNDED(type, prefix)                                 \
  TORCHADA_EXACT(type, __##prefix##add_rn, +)                          \
  TORCHADA_EXACT(type, __##prefix##sub_rn, -)                          \
  TORCHADA_EXACT(type, __##prefix##mul_rn, *)                          \
  TORCHADA_EXACT(type, __##prefix##div_rn, /)                          \
  TORCHADA_DEVICE type __##prefix##sqrt_rn(type a) { return sqrt(a); } \
  TORCHADA_DEVICE type __##prefix##rcp_rn(type a) { return 1 / a; }
TORCHADA_ROUNDED(float, f)
TORCHADA_ROUNDED(double, d)
#undef TORCHADA_EXACT
#undef TORCHADA_ROUNDED
TORCHADA_DEVICE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
TORCHADA_DEVICE float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
TORCHADA_DEVICE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
TORCHADA_DEVICE float __frsqrt_rn(float x) {
  return static_cast<float>(1 / sqrt(static_cast<double>(x)));
}

// Rounded down, up, or towards 0, as the CPU does it. `volatile` keeps the operation between.
extern "C" {  // <fenv.h>
__device__ int fegetround();
__device__ int fesetround(int);
}
namespace torchada {
template <typename Result, typename Type, typename Operation>
TORCHADA_DEVICE Result rounded(int direction, Type value, Operation operation) {
  const int before = fegetround();
  fesetround(direction);
  volatile Type operand = value;
  volatile Result result = operation(operand);
  fesetround(before);
  return result;
}
}  // namespace torchada
#define TORCHADA_DIRECTED(type, prefix, fma_name, suffix, direction)                               \
  TORCHADA_DEVICE type __##fma_name##_##suffix(type a, type b, type c) {                           \
    return torchada::rounded<type>(direction, a, [b, c](type x) { return fma(x, b, c); });         \
  }                                                                                                \
  TORCHADA_DEVICE type __##prefix##add_##suffix(type a, type b) {                                  \
    return torchada::rounded<type>(direction, a, [b](type x) { return x + b; });                   \
  }                                                                                                \
  TORCHADA_DEVICE type __##prefix##sub_##suffix(type a, type b) {                                  \
    return torchada::rounded<type>(direction, a, [b](type x) { return x - b; });                   \
  }                                                                                                \
  TORCHADA_DEVICE type __##prefix##mul_##suffix(type a, type b) {                                  \
    return torchada::rounded<type>(direction, a, [b](type x) { return x * b; });                   \
  }                                                                                                \
  TORCHADA_DEVICE type __##prefix##div_##suffix(type a, type b) {                                  \
    return torchada::rounded<type>(direction, a, [b](type x) { return x / b; });                   \
  }                                                                                                \
  TORCHADA_DEVICE type __##prefix##rcp_##suffix(type a) { return __##prefix##div_##suffix(1, a); } \
  TORCHADA_DEVICE type __##prefix##sqrt_##suffix(type a) {                                         \
    return torchada::rounded<type>(direction, a, [](type x) { return sqrt(x); });                  \
  }
#define TORCHADA_CONVERTED(name, from, to, suffix, direction)                              \
  TORCHADA_DEVICE to __##name##_##suffix(from a) {                                         \
    return torchada::rounded<to>(direction, a, [](from x) { return static_cast<to>(x); }); \
  }
#define TORCHADA_DIRECTION(suffix, direction)                                   \
  TORCHADA_DIRECTED(float, f, fmaf, suffix, direction)                          \
  TORCHADA_DEVICE float __fmaf_ieee_##suffix(float a, float b, float c) {       \
    return __fmaf_##suffix(a, b, c);                                            \
  }                                                                             \
  TORCHADA_DIRECTED(double, d, fma, suffix, direction)                          \
  TORCHADA_CONVERTED(int2float, int, float, suffix, direction)                  \
  TORCHADA_CONVERTED(uint2float, unsigned int, float, suffix, direction)        \
  TORCHADA_CONVERTED(ll2float, long long, float, suffix, direction)             \
  TORCHADA_CONVERTED(ull2float, unsigned long long, float, suffix, direction)   \
  TORCHADA_CONVERTED(ll2double, long long, double, suffix, direction)           \
  TORCHADA_CONVERTED(ull2double, unsigned long long, double, suffix, direction) \
  TORCHADA_CONVERTED(double2float, double, float, suffix, direction)
TORCHADA_DIRECTION(rd, 0x400)
TORCHADA_DIRECTION(ru, 0x800)
TORCHADA_DIRECTION(rz, 0xc00)
#undef TORCHADA_DIRECTED
#undef TORCHADA_DIRECTION
#undef TORCHADA_CONVERTED

namespace torchada {
// The bits of a value as another type of its size.
template <typename To, typename From>
TORCHADA_BOTH To as(From from) {
  return __builtin_bit_cast(To, from);
}
// Conversions of floats outside of an integer's range give its nearest end, and of NaN 0.
template <typename To, typename From>
TORCHADA_BOTH To to_integer(From x) {
  if (x != x) return 0;
  constexpr bool kSigned = static_cast<To>(-1) < 0;
  constexpr To kMost = static_cast<To>(~0ULL >> (64 - 8 * sizeof(To) + kSigned));
  constexpr To kLeast = kSigned ? -kMost - 1 : 0;
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
TORCHADA_DEVICE int __double2hiint(double x) {
  return static_cast<int>(torchada::as<long long>(x) >> 32);
}
TORCHADA_DEVICE int __double2loint(double x) {
  return static_cast<int>(torchada::as<long long>(x));
}
TORCHADA_DEVICE double __hiloint2double(int high, int low) {
  return torchada::as<double>(static_cast<long long>(high) << 32 | static_cast<unsigned int>(low));
}

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
  const unsigned int difference = static_cast<unsigned int>(a) - static_cast<unsigned int>(b);
  return a > b ? c + difference : c - difference;
}
TORCHADA_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a > b ? a - b : b - a);
}
TORCHADA_DEVICE int __hadd(int a, int b) { return static_cast<int>((1LL * a + b) >> 1); }
TORCHADA_DEVICE int __rhadd(int a, int b) { return static_cast<int>((1LL * a + b + 1) >> 1); }
TORCHADA_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((1ULL * a + b) >> 1);
}
TORCHADA_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((1ULL * a + b + 1) >> 1);
}
TORCHADA_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                              unsigned int by) {
  return by < 32 ? __funnelshift_l(low, high, by) : low;
}
TORCHADA_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                              unsigned int by) {
  return by < 32 ? __funnelshift_r(low, high, by) : high;
}
// The place of a bit from `base` on, upwards or downwards, or all ones.
TORCHADA_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return (mask >> base & 1) != 0 ? base : ~0U;
  const int step = offset > 0 ? 1 : -1;
  for (int at = static_cast<int>(base), left = offset * step; at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<unsigned int>(at);
  }
  return ~0U;
}
namespace torchada {
template <typename First, typename Second, typename Sum>
TORCHADA_DEVICE Sum dot(unsigned int a, unsigned int b, Sum c, int count) {
  for (int i = 0; i < count; ++i) {
    c += static_cast<First>(a >> (8 * sizeof(First) * i)) *
         static_cast<Second>(b >> (8 * sizeof(Second) * i));
  }
  return c;
}
}  // namespace torchada
#define TORCHADA_DOT(type, sign, shorts, chars)                                               \
  TORCHADA_DEVICE type __dp4a(type a, type b, type c) {                                       \
    return torchada::dot<sign char, sign char>(a, b, c, 4);                                   \
  }                                                                                           \
  TORCHADA_DEVICE type __dp2a_lo(type a, type b, type c) {                                    \
    return torchada::dot<sign short, sign char>(a, b, c, 2);                                  \
  }                                                                                           \
  TORCHADA_DEVICE type __dp2a_hi(type a, type b, type c) {                                    \
    return torchada::dot<sign short, sign char>(a, static_cast<unsigned int>(b) >> 16, c, 2); \
  }                                                                                           \
  TORCHADA_DEVICE type __dp4a(chars a, chars b, type c) {                                     \
    return __dp4a(torchada::as<type>(a), torchada::as<type>(b), c);                           \
  }                                                                                           \
  TORCHADA_DEVICE type __dp2a_lo(shorts a, chars b, type c) {                                 \
    return __dp2a_lo(torchada::as<type>(a), torchada::as<type>(b), c);                        \
  }                                                                                           \
  TORCHADA_DEVICE type __dp2a_hi(shorts a, chars b, type c) {                                 \
    return __dp2a_hi(torchada::as<type>(a), torchada::as<type>(b), c);                        \
  }
TORCHADA_DOT(int, signed, short2, char4)
TORCHADA_DOT(unsigned int, unsigned, ushort2, uchar4)
#undef TORCHADA_DOT
TORCHADA_BOTH long long llmin(long long a, long long b) { return min(a, b); }
TORCHADA_BOTH long long llmax(long long a, long long b) { return max(a, b); }
TORCHADA_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
TORCHADA_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

// Loads and stores with a hint for a cache.
#define TORCHADA_LOAD(name)                     \
  template <typename Type>                      \
  TORCHADA_DEVICE Type name(const Type* from) { \
    return *from;                               \
  }
#define TORCHADA_STORE(name)                        \
  template <typename Type>                          \
  TORCHADA_DEVICE void name(Type* to, Type value) { \
    *to = value;                                    \
  }
TORCHADA_FOR_EACH(TORCHADA_LOAD, __ldg, __ldcg, __ldca, __ldcs, __ldlu, __ldcv)
TORCHADA_FOR_EACH(TORCHADA_STORE, __stwb, __stcg, __stcs, __stwt)
#undef TORCHADA_LOAD
#undef TORCHADA_STORE
