// Half and bfloat16: kept as bits, computed in float, rounded to nearest even.
#pragma once

#include "torchada_device.h"
#if __has_include(<nv/target>)
#include <nv/target>  // as NVIDIA's
#endif

namespace torchada {

TORCHADA_BOTH unsigned short half_bits(float value) {
  const unsigned int bits = torchada::as<unsigned int>(value);
  const unsigned int sign = bits >> 16 & 0x8000;
  const unsigned int magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    // Below the normal numbers: the addition rounds.
    const float rounded = torchada::as<float>(magnitude) + 0.5F;
    return static_cast<unsigned short>(sign | (torchada::as<unsigned int>(rounded) - 0x3f000000));
  }
  const unsigned int rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<unsigned short>(sign | (rounded - 0x38000000) >> 13);
}
TORCHADA_BOTH float half_value(unsigned short bits) {
  const unsigned int sign = static_cast<unsigned int>(bits & 0x8000) << 16;
  const unsigned int magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00) return torchada::as<float>(sign | 0x7f800000 | magnitude << 13);
  if (magnitude >= 0x0400) return torchada::as<float>(sign | ((magnitude << 13) + 0x38000000));
  const float small = static_cast<float>(magnitude) * 0x1p-24F;
  return sign != 0 ? -small : small;
}
TORCHADA_BOTH unsigned short bfloat_bits(float value) {
  const unsigned int bits = torchada::as<unsigned int>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
TORCHADA_BOTH float bfloat_value(unsigned short bits) {
  return torchada::as<float>(static_cast<unsigned int>(bits) << 16);
}

// 1 if the float is more, -1 if it is less; whole numbers of 64 bits are compared as such.
template <typename Number>
TORCHADA_BOTH int compared(float value, Number x) {
  if (__is_integral(Number) && __builtin_fabsf(value) < 0x1p80F) {
    const __int128 a = static_cast<__int128>(value), b = static_cast<__int128>(x);
    return (a > b) - (a < b);
  }
  return (value > static_cast<double>(x)) - (value < static_cast<double>(x));
}
// A float that rounds to fewer bits as the number itself does: what lies between two floats becomes
// the one that is odd.
template <typename Number>
TORCHADA_BOTH float odd_float(Number x) {
  const float near = static_cast<float>(x);
  const int more = compared(near, x);
  if (more == 0) return near;
  const unsigned int bits = torchada::as<unsigned int>(near);
  const bool too_large = near > 0 ? more > 0 : near < 0 && more < 0;
  return torchada::as<float>((too_large ? bits - 1 : bits) | 1);
}
// So does the sum of two doubles.
TORCHADA_BOTH double odd_sum(double a, double b) {
  const double sum = a + b;
  const double more = sum - a;
  const double lost = (a - (sum - more)) + (b - more);
  const unsigned long long bits = torchada::as<unsigned long long>(sum);
  if (!(lost < 0 || lost > 0) || (bits & 1) != 0 || !__builtin_isfinite(sum)) return sum;
  return torchada::as<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// A number of 16 bits, and a pair of them. `Type` is the type itself, whose name is a part of
// kernels' names, and `Raw` the struct in which programs get its bits.
template <typename Type, typename Raw, unsigned short (*kPack)(float),
          float (*kUnpack)(unsigned short)>
struct Narrow {
  unsigned short bits;

  Narrow() = default;
  __host__ __device__ Narrow(Raw raw) : bits(raw.x) {}
  __host__ __device__ operator Raw() const { return {bits}; }
  template <typename Number, typename = torchada::IfNumbers<Number, Number>>
  __host__ __device__ Narrow(Number value) : bits(kPack(odd_float(value))) {}
  __host__ __device__ operator float() const { return kUnpack(bits); }
#define TORCHADA_OPERATOR(op)                         \
  template <typename Other>                           \
  __host__ __device__ Type& operator op##=(Other b) { \
    bits = kPack(float(*this) op float(b));           \
    return static_cast<Type&>(*this);                 \
  }                                                   \
  friend __host__ __device__ Type operator op(Type a, Type b) { return Type(float(a) op float(b)); }
  TORCHADA_FOR_EACH(TORCHADA_OPERATOR, +, -, *, /)
#undef TORCHADA_OPERATOR
  friend __host__ __device__ Type operator-(Type a) { return Type(-float(a)); }
#define TORCHADA_OPERATOR(op) \
  friend __host__ __device__ bool operator op(Type a, Type b) { return float(a) op float(b); }
  TORCHADA_FOR_EACH(TORCHADA_OPERATOR, <, >, <=, >=, ==, !=)
#undef TORCHADA_OPERATOR
};
template <typename Type, typename Raw>
struct __attribute__((aligned(4))) Pair {
  Type x, y;
  Pair() = default;
  __host__ __device__ Pair(Raw raw) : x(torchada::as<Type>(raw.x)), y(torchada::as<Type>(raw.y)) {}
  __host__ __device__ operator Raw() const { return {x.bits, y.bits}; }
  __host__ __device__ Pair(Type low, Type high) : x(low), y(high) {}
};

// Rounded up or down.
template <typename Type, typename Number>
TORCHADA_BOTH Type next_to(Number x, bool up) {
  Type near(x);
  const float value = near;
  if (compared(value, x) == (up ? -1 : 1)) {
    near.bits = value == 0 ? (up ? 1 : 0x8001) : near.bits + ((value > 0) == up ? 1 : -1);
  }
  return near;
}
template <typename Type>
TORCHADA_BOTH Type saturated(Type a) {
  return Type(float(a) > 0 ? (float(a) < 1 ? float(a) : 1.F) : 0.F);
}
template <typename Type>
TORCHADA_BOTH bool either_nan(Type a, Type b) {
  return float(a) != float(a) || float(b) != float(b);
}

}  // namespace torchada

#define TORCHADA_NARROW_FUNCTION(type, pair, name, expression)    \
  TORCHADA_BOTH type h##name(type a) { return type(expression); } \
  TORCHADA_BOTH pair h2##name(pair a) { return pair(h##name(a.x), h##name(a.y)); }
#define TORCHADA_NARROW_PAIRED(type, pair, name, suffix, expression)          \
  TORCHADA_BOTH type __h##name##suffix(type a, type b) { return expression; } \
  TORCHADA_BOTH pair __h##name##2##suffix(pair a, pair b) {                   \
    return pair(__h##name##suffix(a.x, b.x), __h##name##suffix(a.y, b.y));    \
  }
#define TORCHADA_PAIR_OPERATOR(pair, op)                                                  \
  TORCHADA_BOTH pair operator op(pair a, pair b) { return pair(a.x op b.x, a.y op b.y); } \
  TORCHADA_BOTH pair& operator op##=(pair& a, pair b) { return a = a op b; }
#define TORCHADA_NARROW_INTEGER(type, short_name, name, integer)                 \
  TORCHADA_BOTH type __##name##2##short_name##_rn(integer x) { return type(x); } \
  TORCHADA_NARROW_FROM(type, __##name##2##short_name, integer)                   \
  TORCHADA_NARROW_TO(type, __##short_name##2##name, rn, integer, rintf)          \
  TORCHADA_NARROW_TO(type, __##short_name##2##name, rd, integer, floorf)         \
  TORCHADA_NARROW_TO(type, __##short_name##2##name, ru, integer, ceilf)          \
  TORCHADA_NARROW_TO(type, __##short_name##2##name, rz, integer, truncf)
#define TORCHADA_NARROW_TO(type, name, suffix, integer, whole) \
  TORCHADA_BOTH integer name##_##suffix(type x) { return torchada::to_integer<integer>(whole(x)); }
#define TORCHADA_NARROW_FROM(type, name, number)                                       \
  TORCHADA_BOTH type name##_rd(number x) { return torchada::next_to<type>(x, false); } \
  TORCHADA_BOTH type name##_ru(number x) { return torchada::next_to<type>(x, true); }  \
  TORCHADA_BOTH type name##_rz(number x) { return torchada::next_to<type>(x, x < 0); }
// A comparison: of numbers, and of pairs with a bool, with 1 or 0, or with all bits or none.
#define TORCHADA_NARROW_COMPARED(type, pair, name, expression)                              \
  TORCHADA_BOTH bool __h##name(type a, type b) { return expression; }                       \
  TORCHADA_BOTH bool __hb##name##2(pair a, pair b) {                                        \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                      \
  }                                                                                         \
  TORCHADA_BOTH pair __h##name##2(pair a, pair b) {                                         \
    return pair(type(__h##name(a.x, b.x)), type(__h##name(a.y, b.y)));                      \
  }                                                                                         \
  TORCHADA_BOTH unsigned int __h##name##2_mask(pair a, pair b) {                            \
    return (__h##name(a.x, b.x) ? 0xffffU : 0U) | (__h##name(a.y, b.y) ? 0xffff0000U : 0U); \
  }
// Compared, or not to be compared.
#define TORCHADA_NARROW_COMPARISON(type, pair, name, op) \
  TORCHADA_NARROW_COMPARED(type, pair, name, a op b)     \
  TORCHADA_NARROW_COMPARED(type, pair, name##u, (a op b) || torchada::either_nan(a, b))
// One type and its functions; `short_name` is that in names of conversions.
#define TORCHADA_NARROW(type, pair, short_name, pack, unpack)                                     \
  struct type##_raw {                                                                             \
    unsigned short x;                                                                             \
  };                                                                                              \
  struct pair##_raw {                                                                             \
    unsigned short x, y;                                                                          \
  };                                                                                              \
  struct type : torchada::Narrow<type, type##_raw, pack, unpack> {                                \
    using Narrow::Narrow;                                                                         \
    type() = default;                                                                             \
  };                                                                                              \
  struct pair : torchada::Pair<type, pair##_raw> {                                                \
    using Pair::Pair;                                                                             \
    pair() = default;                                                                             \
  };                                                                                              \
  TORCHADA_BOTH type __float2##short_name(float x) { return type(x); }                            \
  TORCHADA_BOTH type __float2##short_name##_rn(float x) { return type(x); }                       \
  TORCHADA_NARROW_FROM(type, __float2##short_name, float)                                         \
  TORCHADA_BOTH type __double2##short_name(double x) { return type(x); }                          \
  TORCHADA_BOTH float __##short_name##2float(type x) { return x; }                                \
  TORCHADA_NARROW_INTEGER(type, short_name, short, short)                                         \
  TORCHADA_NARROW_INTEGER(type, short_name, ushort, unsigned short)                               \
  TORCHADA_NARROW_INTEGER(type, short_name, int, int)                                             \
  TORCHADA_NARROW_INTEGER(type, short_name, uint, unsigned int)                                   \
  TORCHADA_NARROW_INTEGER(type, short_name, ll, long long)                                        \
  TORCHADA_NARROW_INTEGER(type, short_name, ull, unsigned long long)                              \
  TORCHADA_NARROW_TO(type, __##short_name##2char, rz, signed char, truncf)                        \
  TORCHADA_NARROW_TO(type, __##short_name##2uchar, rz, unsigned char, truncf)                     \
  TORCHADA_BOTH unsigned short __##short_name##_as_ushort(type x) { return x.bits; }              \
  TORCHADA_BOTH type __ushort_as_##short_name(unsigned short bits) {                              \
    type x;                                                                                       \
    x.bits = bits;                                                                                \
    return x;                                                                                     \
  }                                                                                               \
  TORCHADA_BOTH short __##short_name##_as_short(type x) { return static_cast<short>(x.bits); }    \
  TORCHADA_BOTH type __short_as_##short_name(short bits) {                                        \
    return __ushort_as_##short_name(static_cast<unsigned short>(bits));                           \
  }                                                                                               \
  TORCHADA_NARROW_PAIRED(type, pair, add, , a + b)                                                \
  TORCHADA_NARROW_PAIRED(type, pair, sub, , a - b)                                                \
  TORCHADA_NARROW_PAIRED(type, pair, mul, , a* b)                                                 \
  TORCHADA_NARROW_PAIRED(type, pair, max, , type(fmaxf(a, b)))                                    \
  TORCHADA_NARROW_PAIRED(type, pair, min, , type(fminf(a, b)))                                    \
  TORCHADA_NARROW_PAIRED(type, pair, add, _rn, a + b)                                             \
  TORCHADA_NARROW_PAIRED(type, pair, sub, _rn, a - b)                                             \
  TORCHADA_NARROW_PAIRED(type, pair, mul, _rn, a* b)                                              \
  TORCHADA_NARROW_PAIRED(type, pair, add, _sat, torchada::saturated(a + b))                       \
  TORCHADA_NARROW_PAIRED(type, pair, sub, _sat, torchada::saturated(a - b))                       \
  TORCHADA_NARROW_PAIRED(type, pair, mul, _sat, torchada::saturated(a* b))                        \
  TORCHADA_NARROW_PAIRED(type, pair, max, _nan,                                                   \
                         torchada::either_nan(a, b) ? type(__builtin_nanf("")) : __hmax(a, b))    \
  TORCHADA_NARROW_PAIRED(type, pair, min, _nan,                                                   \
                         torchada::either_nan(a, b) ? type(__builtin_nanf("")) : __hmin(a, b))    \
  TORCHADA_BOTH type __hdiv(type a, type b) { return a / b; }                                     \
  TORCHADA_BOTH type __hneg(type a) { return -a; }                                                \
  TORCHADA_BOTH type __habs(type a) { return type(fabsf(a)); }                                    \
  TORCHADA_BOTH type __hfma(type a, type b, type c) {                                             \
    return type(torchada::odd_sum(static_cast<double>(float(a)) * float(b), float(c)));           \
  }                                                                                               \
  TORCHADA_NARROW_COMPARISON(type, pair, eq, ==)                                                  \
  TORCHADA_NARROW_COMPARISON(type, pair, ne, !=)                                                  \
  TORCHADA_NARROW_COMPARISON(type, pair, lt, <)                                                   \
  TORCHADA_NARROW_COMPARISON(type, pair, le, <=)                                                  \
  TORCHADA_NARROW_COMPARISON(type, pair, gt, >)                                                   \
  TORCHADA_NARROW_COMPARISON(type, pair, ge, >=)                                                  \
  TORCHADA_BOTH int __hisinf(type a) {                                                            \
    return __builtin_isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0;                               \
  }                                                                                               \
  TORCHADA_BOTH pair __hisnan2(pair a) { return __hne2(a, a); }                                   \
  TORCHADA_BOTH bool __hisnan(type a) { return float(a) != float(a); }                            \
  TORCHADA_NARROW_FUNCTION(type, pair, exp, expf(a))                                              \
  TORCHADA_NARROW_FUNCTION(type, pair, exp2, exp2f(a))                                            \
  TORCHADA_NARROW_FUNCTION(type, pair, log, logf(a))                                              \
  TORCHADA_NARROW_FUNCTION(type, pair, log2, log2f(a))                                            \
  TORCHADA_NARROW_FUNCTION(type, pair, exp10, powf(10, a))                                        \
  TORCHADA_NARROW_FUNCTION(type, pair, log10, log10f(a))                                          \
  TORCHADA_NARROW_FUNCTION(type, pair, tanh, tanhf(a))                                            \
  TORCHADA_NARROW_FUNCTION(type, pair, tanh_approx, tanhf(a))                                     \
  TORCHADA_NARROW_FUNCTION(type, pair, sqrt, sqrtf(a))                                            \
  TORCHADA_NARROW_FUNCTION(type, pair, rsqrt, 1 / sqrtf(a))                                       \
  TORCHADA_NARROW_FUNCTION(type, pair, rcp, 1 / float(a))                                         \
  TORCHADA_NARROW_FUNCTION(type, pair, sin, sinf(a))                                              \
  TORCHADA_NARROW_FUNCTION(type, pair, cos, cosf(a))                                              \
  TORCHADA_NARROW_FUNCTION(type, pair, floor, floorf(a))                                          \
  TORCHADA_NARROW_FUNCTION(type, pair, ceil, ceilf(a))                                            \
  TORCHADA_NARROW_FUNCTION(type, pair, trunc, truncf(a))                                          \
  TORCHADA_NARROW_FUNCTION(type, pair, rint, rintf(a))                                            \
  TORCHADA_BOTH type __low2##short_name(pair a) { return a.x; }                                   \
  TORCHADA_BOTH type __high2##short_name(pair a) { return a.y; }                                  \
  TORCHADA_BOTH pair __low2##short_name##2(pair a) { return pair(a.x, a.x); }                     \
  TORCHADA_BOTH pair __high2##short_name##2(pair a) { return pair(a.y, a.y); }                    \
  TORCHADA_BOTH pair __lows2##short_name##2(pair a, pair b) { return pair(a.x, b.x); }            \
  TORCHADA_BOTH pair __highs2##short_name##2(pair a, pair b) { return pair(a.y, b.y); }           \
  TORCHADA_BOTH pair __lowhigh2highlow(pair a) { return pair(a.y, a.x); }                         \
  TORCHADA_BOTH float __low2float(pair a) { return a.x; }                                         \
  TORCHADA_BOTH float __high2float(pair a) { return a.y; }                                        \
  TORCHADA_BOTH pair __##short_name##2##short_name##2(type a) { return pair(a, a); }              \
  TORCHADA_BOTH pair __halves2##short_name##2(type a, type b) { return pair(a, b); }              \
  TORCHADA_BOTH pair make_##short_name##2(type a, type b) { return pair(a, b); }                  \
  TORCHADA_BOTH pair __floats2##short_name##2_rn(float a, float b) {                              \
    return pair(type(a), type(b));                                                                \
  }                                                                                               \
  TORCHADA_BOTH pair __float2##short_name##2_rn(float a) { return pair(type(a), type(a)); }       \
  TORCHADA_BOTH pair __float22##short_name##2_rn(float2 a) { return pair(type(a.x), type(a.y)); } \
  TORCHADA_BOTH float2 __##short_name##22float2(pair a) { return {float(a.x), float(a.y)}; }      \
  TORCHADA_PAIR_OPERATOR(pair, +)                                                                 \
  TORCHADA_PAIR_OPERATOR(pair, -)                                                                 \
  TORCHADA_PAIR_OPERATOR(pair, *)                                                                 \
  TORCHADA_PAIR_OPERATOR(pair, /)                                                                 \
  TORCHADA_BOTH pair __h2div(pair a, pair b) { return pair(a.x / b.x, a.y / b.y); }               \
  TORCHADA_BOTH pair __hfma2(pair a, pair b, pair c) {                                            \
    return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                    \
  }                                                                                               \
  TORCHADA_BOTH type __hfma_sat(type a, type b, type c) {                                         \
    return torchada::saturated(__hfma(a, b, c));                                                  \
  }                                                                                               \
  TORCHADA_BOTH type __hfma_relu(type a, type b, type c) {                                        \
    const type sum = __hfma(a, b, c);                                                             \
    return float(sum) < 0 ? type(0.F) : sum;                                                      \
  }                                                                                               \
  TORCHADA_BOTH pair __hfma2_sat(pair a, pair b, pair c) {                                        \
    return pair(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                            \
  }                                                                                               \
  TORCHADA_BOTH pair __hfma2_relu(pair a, pair b, pair c) {                                       \
    return pair(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                          \
  }                                                                                               \
  TORCHADA_BOTH pair __hcmadd(pair a, pair b, pair c) {                                           \
    return pair(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),                                         \
                __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                         \
  }                                                                                               \
  TORCHADA_BOTH pair __habs2(pair a) { return pair(__habs(a.x), __habs(a.y)); }                   \
  TORCHADA_BOTH pair __hneg2(pair a) { return pair(-a.x, -a.y); }                                 \
  TORCHADA_ATOMIC_LOOP(type, atomicAdd, old + value)                                              \
  TORCHADA_ATOMIC_LOOP(pair, atomicAdd, old + value)
