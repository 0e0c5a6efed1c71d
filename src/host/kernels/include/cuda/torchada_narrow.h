// Half and bfloat16: kept as bits, computed in float, rounded to nearest even.
#pragma once

#include "torchada_device.h"

namespace torchada {

TORCHADA_DEVICE unsigned short half_bits(float value) {
  const unsigned int bits = torchada::as<unsigned int>(value);
  const unsigned int sign = bits >> 16 & 0x8000;
  const unsigned int magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<unsigned short>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    // Below the normal numbers: the addition rounds.
    const float rounded = torchada::as<float>(magnitude) + 0.5F;
    return static_cast<unsigned short>(sign | (torchada::as<unsigned int>(rounded) - 0x3f000000));
  }
  const unsigned int rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<unsigned short>(sign | (rounded - 0x38000000) >> 13);
}
TORCHADA_DEVICE float half_value(unsigned short bits) {
  const unsigned int sign = static_cast<unsigned int>(bits & 0x8000) << 16;
  const unsigned int magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00) return torchada::as<float>(sign | 0x7f800000 | magnitude << 13);
  if (magnitude >= 0x0400) return torchada::as<float>(sign | ((magnitude << 13) + 0x38000000));
  const float small = static_cast<float>(magnitude) * 0x1p-24F;
  return sign != 0 ? -small : small;
}
TORCHADA_DEVICE unsigned short bfloat_bits(float value) {
  const unsigned int bits = torchada::as<unsigned int>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
TORCHADA_DEVICE float bfloat_value(unsigned short bits) {
  return torchada::as<float>(static_cast<unsigned int>(bits) << 16);
}

// A number of 16 bits, and a pair of them. `T` is the type itself, whose name is a part of kernels'
// names, and `Raw` the struct in which programs get its bits.
template <typename T, typename Raw, unsigned short (*kPack)(float),
          float (*kUnpack)(unsigned short)>
struct Narrow {
  unsigned short bits;

  Narrow() = default;
  __host__ __device__ Narrow(Raw raw) : bits(raw.x) {}
  __host__ __device__ operator Raw() const { return {bits}; }
  template <typename Number, typename = std::enable_if_t<std::is_arithmetic<Number>::value>>
  __host__ __device__ Narrow(Number value) : bits(kPack(static_cast<float>(value))) {}
  __host__ __device__ operator float() const { return kUnpack(bits); }
#define TORCHADA_OPERATOR(op)                      \
  template <typename Other>                        \
  __host__ __device__ T& operator op##=(Other b) { \
    bits = kPack(float(*this) op float(b));        \
    return static_cast<T&>(*this);                 \
  }                                                \
  friend __host__ __device__ T operator op(T a, T b) { return T(float(a) op float(b)); }
  TORCHADA_FOR_EACH(TORCHADA_OPERATOR, +, -, *, /)
#undef TORCHADA_OPERATOR
  friend __host__ __device__ T operator-(T a) { return T(-float(a)); }
#define TORCHADA_OPERATOR(op) \
  friend __host__ __device__ bool operator op(T a, T b) { return float(a) op float(b); }
  TORCHADA_FOR_EACH(TORCHADA_OPERATOR, <, >, <=, >=, ==, !=)
#undef TORCHADA_OPERATOR
};
template <typename T, typename Raw>
struct __attribute__((aligned(4))) Pair {
  T x, y;
  Pair() = default;
  __host__ __device__ Pair(Raw raw) : x(torchada::as<T>(raw.x)), y(torchada::as<T>(raw.y)) {}
  __host__ __device__ operator Raw() const { return {x.bits, y.bits}; }
  __host__ __device__ Pair(T low, T high) : x(low), y(high) {}
};

}  // namespace torchada

#define TORCHADA_NARROW_FUNCTION(type, pair, name, expression)      \
  TORCHADA_DEVICE type h##name(type a) { return type(expression); } \
  TORCHADA_DEVICE pair h2##name(pair a) { return pair(h##name(a.x), h##name(a.y)); }
#define TORCHADA_NARROW_PAIRED(type, pair, name, expression)            \
  TORCHADA_DEVICE type __h##name(type a, type b) { return expression; } \
  TORCHADA_DEVICE pair __h##name##2(pair a, pair b) {                   \
    return pair(__h##name(a.x, b.x), __h##name(a.y, b.y));              \
  }
#define TORCHADA_PAIR_OPERATOR(pair, op)                                                    \
  TORCHADA_DEVICE pair operator op(pair a, pair b) { return pair(a.x op b.x, a.y op b.y); } \
  TORCHADA_DEVICE pair& operator op##=(pair& a, pair b) { return a = a op b; }
#define TORCHADA_NARROW_INTEGER(type, short_name, name, integer)                   \
  TORCHADA_DEVICE type __##name##2##short_name##_rn(integer x) { return type(x); } \
  TORCHADA_DEVICE integer __##short_name##2##name##_rn(type x) {                   \
    return torchada::to_integer<integer>(rintf(x));                                \
  }                                                                                \
  TORCHADA_DEVICE integer __##short_name##2##name##_rz(type x) {                   \
    return torchada::to_integer<integer>(truncf(x));                               \
  }
// One type and its functions; `short_name` is that in names of conversions.
#define TORCHADA_NARROW(type, pair, short_name, pack, unpack)                                  \
  struct type##_raw {                                                                          \
    unsigned short x;                                                                          \
  };                                                                                           \
  struct pair##_raw {                                                                          \
    unsigned short x, y;                                                                       \
  };                                                                                           \
  struct type : torchada::Narrow<type, type##_raw, pack, unpack> {                             \
    using Narrow::Narrow;                                                                      \
    type() = default;                                                                          \
  };                                                                                           \
  struct pair : torchada::Pair<type, pair##_raw> {                                             \
    using Pair::Pair;                                                                          \
    pair() = default;                                                                          \
  };                                                                                           \
  TORCHADA_DEVICE type __float2##short_name(float x) { return type(x); }                       \
  TORCHADA_DEVICE type __float2##short_name##_rn(float x) { return type(x); }                  \
  TORCHADA_DEVICE type __float2##short_name##_rz(float x) {                                    \
    type near(x);                                                                              \
    if (fabsf(near) > fabsf(x)) --near.bits;                                                   \
    return near;                                                                               \
  }                                                                                            \
  TORCHADA_DEVICE type __double2##short_name(double x) { return type(x); }                     \
  TORCHADA_DEVICE float __##short_name##2float(type x) { return x; }                           \
  TORCHADA_NARROW_INTEGER(type, short_name, short, short)                                      \
  TORCHADA_NARROW_INTEGER(type, short_name, ushort, unsigned short)                            \
  TORCHADA_NARROW_INTEGER(type, short_name, int, int)                                          \
  TORCHADA_NARROW_INTEGER(type, short_name, uint, unsigned int)                                \
  TORCHADA_NARROW_INTEGER(type, short_name, ll, long long)                                     \
  TORCHADA_NARROW_INTEGER(type, short_name, ull, unsigned long long)                           \
  TORCHADA_DEVICE type __int2##short_name##_rd(int x) {                                        \
    type near(x);                                                                              \
    if (float(near) > x) near.bits += near.bits < 0x8000 ? -1 : 1;                             \
    return near;                                                                               \
  }                                                                                            \
  TORCHADA_DEVICE unsigned short __##short_name##_as_ushort(type x) { return x.bits; }         \
  TORCHADA_DEVICE type __ushort_as_##short_name(unsigned short bits) {                         \
    type x;                                                                                    \
    x.bits = bits;                                                                             \
    return x;                                                                                  \
  }                                                                                            \
  TORCHADA_NARROW_PAIRED(type, pair, add, a + b)                                               \
  TORCHADA_NARROW_PAIRED(type, pair, sub, a - b)                                               \
  TORCHADA_NARROW_PAIRED(type, pair, mul, a* b)                                                \
  TORCHADA_NARROW_PAIRED(type, pair, max, type(fmaxf(a, b)))                                   \
  TORCHADA_NARROW_PAIRED(type, pair, min, type(fminf(a, b)))                                   \
  TORCHADA_DEVICE type __hdiv(type a, type b) { return a / b; }                                \
  TORCHADA_DEVICE type __hneg(type a) { return -a; }                                           \
  TORCHADA_DEVICE type __habs(type a) { return type(fabsf(a)); }                               \
  TORCHADA_DEVICE type __hfma(type a, type b, type c) {                                        \
    return type(static_cast<double>(float(a)) * float(b) + float(c));                          \
  }                                                                                            \
  TORCHADA_DEVICE bool __heq(type a, type b) { return a == b; }                                \
  TORCHADA_DEVICE bool __hne(type a, type b) { return a != b; }                                \
  TORCHADA_DEVICE bool __hlt(type a, type b) { return a < b; }                                 \
  TORCHADA_DEVICE bool __hle(type a, type b) { return a <= b; }                                \
  TORCHADA_DEVICE bool __hgt(type a, type b) { return a > b; }                                 \
  TORCHADA_DEVICE bool __hge(type a, type b) { return a >= b; }                                \
  TORCHADA_DEVICE bool __hisnan(type a) { return float(a) != float(a); }                       \
  TORCHADA_NARROW_FUNCTION(type, pair, exp, expf(a))                                           \
  TORCHADA_NARROW_FUNCTION(type, pair, exp2, exp2f(a))                                         \
  TORCHADA_NARROW_FUNCTION(type, pair, log, logf(a))                                           \
  TORCHADA_NARROW_FUNCTION(type, pair, log2, log2f(a))                                         \
  TORCHADA_NARROW_FUNCTION(type, pair, sqrt, sqrtf(a))                                         \
  TORCHADA_NARROW_FUNCTION(type, pair, rsqrt, 1 / sqrtf(a))                                    \
  TORCHADA_NARROW_FUNCTION(type, pair, rcp, 1 / float(a))                                      \
  TORCHADA_NARROW_FUNCTION(type, pair, sin, sinf(a))                                           \
  TORCHADA_NARROW_FUNCTION(type, pair, cos, cosf(a))                                           \
  TORCHADA_NARROW_FUNCTION(type, pair, floor, floorf(a))                                       \
  TORCHADA_NARROW_FUNCTION(type, pair, ceil, ceilf(a))                                         \
  TORCHADA_NARROW_FUNCTION(type, pair, trunc, truncf(a))                                       \
  TORCHADA_NARROW_FUNCTION(type, pair, rint, rintf(a))                                         \
  TORCHADA_DEVICE type __low2##short_name(pair a) { return a.x; }                              \
  TORCHADA_DEVICE type __high2##short_name(pair a) { return a.y; }                             \
  TORCHADA_DEVICE float __low2float(pair a) { return a.x; }                                    \
  TORCHADA_DEVICE float __high2float(pair a) { return a.y; }                                   \
  TORCHADA_DEVICE pair __##short_name##2##short_name##2(type a) { return pair(a, a); }         \
  TORCHADA_DEVICE pair __halves2##short_name##2(type a, type b) { return pair(a, b); }         \
  TORCHADA_DEVICE pair make_##short_name##2(type a, type b) { return pair(a, b); }             \
  TORCHADA_DEVICE pair __floats2##short_name##2_rn(float a, float b) {                         \
    return pair(type(a), type(b));                                                             \
  }                                                                                            \
  TORCHADA_DEVICE pair __float2##short_name##2_rn(float a) { return pair(type(a), type(a)); }  \
  TORCHADA_DEVICE pair __float22##short_name##2_rn(float2 a) {                                 \
    return pair(type(a.x), type(a.y));                                                         \
  }                                                                                            \
  TORCHADA_DEVICE float2 __##short_name##22float2(pair a) { return {float(a.x), float(a.y)}; } \
  TORCHADA_PAIR_OPERATOR(pair, +)                                                              \
  TORCHADA_PAIR_OPERATOR(pair, -)                                                              \
  TORCHADA_PAIR_OPERATOR(pair, *)                                                              \
  TORCHADA_PAIR_OPERATOR(pair, /)                                                              \
  TORCHADA_DEVICE pair __h2div(pair a, pair b) { return pair(a.x / b.x, a.y / b.y); }          \
  TORCHADA_DEVICE pair __hfma2(pair a, pair b, pair c) {                                       \
    return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                 \
  }                                                                                            \
  TORCHADA_DEVICE bool __hbeq2(pair a, pair b) { return a.x == b.x && a.y == b.y; }            \
  TORCHADA_DEVICE pair __hneg2(pair a) { return pair(-a.x, -a.y); }                            \
  TORCHADA_ATOMIC_LOOP(type, atomicAdd, old + value)                                           \
  TORCHADA_ATOMIC_LOOP(pair, atomicAdd, old + value)
