// Half and bfloat16: kept as bits, computed in float, rounded to nearest even.
#pragma once

#include "torchada_device.h"

namespace torchada {

TORCHADA_DEVICE unsigned short half_bits(float value) {
  const unsigned int bits = same_bits<unsigned int>(value);
  const unsigned int sign = bits >> 16 & 0x8000;
  const unsigned int magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<unsigned short>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    // Below the normal numbers: the addition rounds.
    const float rounded = same_bits<float>(magnitude) + 0.5F;
    return static_cast<unsigned short>(sign | (same_bits<unsigned int>(rounded) - 0x3f000000));
  }
  const unsigned int rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<unsigned short>(sign | (rounded - 0x38000000) >> 13);
}
TORCHADA_DEVICE float half_value(unsigned short bits) {
  const unsigned int sign = static_cast<unsigned int>(bits & 0x8000) << 16;
  const unsigned int magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00) return same_bits<float>(sign | 0x7f800000 | magnitude << 13);
  if (magnitude >= 0x0400) return same_bits<float>(sign | ((magnitude << 13) + 0x38000000));
  const float small = static_cast<float>(magnitude) * 0x1p-24F;
  return sign != 0 ? -small : small;
}
TORCHADA_DEVICE unsigned short bfloat_bits(float value) {
  const unsigned int bits = same_bits<unsigned int>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
TORCHADA_DEVICE float bfloat_value(unsigned short bits) {
  return same_bits<float>(static_cast<unsigned int>(bits) << 16);
}

// A number of 16 bits, and a pair of them.
template <unsigned short (*kPack)(float), float (*kUnpack)(unsigned short)>
struct Narrow {
  unsigned short bits;

  Narrow() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
  __host__ __device__ Narrow(T value) : bits(kPack(static_cast<float>(value))) {}
  __host__ __device__ operator float() const { return kUnpack(bits); }
  template <typename T>
  __host__ __device__ Narrow& operator+=(T b) {
    return *this = Narrow(float(*this) + float(b));
  }
  template <typename T>
  __host__ __device__ Narrow& operator-=(T b) {
    return *this = Narrow(float(*this) - float(b));
  }
  template <typename T>
  __host__ __device__ Narrow& operator*=(T b) {
    return *this = Narrow(float(*this) * float(b));
  }
  template <typename T>
  __host__ __device__ Narrow& operator/=(T b) {
    return *this = Narrow(float(*this) / float(b));
  }
#define TORCHADA_OPERATOR(op)                                         \
  friend __host__ __device__ Narrow operator op(Narrow a, Narrow b) { \
    return Narrow(float(a) op float(b));                              \
  }
  TORCHADA_OPERATOR(+)
  TORCHADA_OPERATOR(-)
  TORCHADA_OPERATOR(*)
  TORCHADA_OPERATOR(/)
#undef TORCHADA_OPERATOR
  friend __host__ __device__ Narrow operator-(Narrow a) { return Narrow(-float(a)); }
#define TORCHADA_OPERATOR(op) \
  friend __host__ __device__ bool operator op(Narrow a, Narrow b) { return float(a) op float(b); }
  TORCHADA_OPERATOR(<)
  TORCHADA_OPERATOR(>)
  TORCHADA_OPERATOR(<=)
  TORCHADA_OPERATOR(>=)
  TORCHADA_OPERATOR(==)
  TORCHADA_OPERATOR(!=)
#undef TORCHADA_OPERATOR
};
template <typename T>
struct __attribute__((aligned(4))) Pair {
  T x, y;
  Pair() = default;
  __host__ __device__ Pair(T low, T high) : x(low), y(high) {}
};

}  // namespace torchada

// The functions of one type; `short_name` is that in names of conversions.
#define TORCHADA_NARROW(type, pair, short_name)                                                \
  TORCHADA_DEVICE type __float2##short_name(float x) { return type(x); }                       \
  TORCHADA_DEVICE type __float2##short_name##_rn(float x) { return type(x); }                  \
  TORCHADA_DEVICE type __double2##short_name(double x) { return type(x); }                     \
  TORCHADA_DEVICE float __##short_name##2float(type x) { return x; }                           \
  TORCHADA_DEVICE type __int2##short_name##_rn(int x) { return type(x); }                      \
  TORCHADA_DEVICE int __##short_name##2int_rn(type x) { return __float2int_rn(x); }            \
  TORCHADA_DEVICE int __##short_name##2int_rz(type x) { return __float2int_rz(x); }            \
  TORCHADA_DEVICE unsigned short __##short_name##_as_ushort(type x) { return x.bits; }         \
  TORCHADA_DEVICE type __ushort_as_##short_name(unsigned short bits) {                         \
    type x;                                                                                    \
    x.bits = bits;                                                                             \
    return x;                                                                                  \
  }                                                                                            \
  TORCHADA_DEVICE type __hadd(type a, type b) { return a + b; }                                \
  TORCHADA_DEVICE type __hsub(type a, type b) { return a - b; }                                \
  TORCHADA_DEVICE type __hmul(type a, type b) { return a * b; }                                \
  TORCHADA_DEVICE type __hdiv(type a, type b) { return a / b; }                                \
  TORCHADA_DEVICE type __hneg(type a) { return -a; }                                           \
  TORCHADA_DEVICE type __habs(type a) { return type(fabsf(a)); }                               \
  TORCHADA_DEVICE type __hfma(type a, type b, type c) {                                        \
    return type(static_cast<double>(float(a)) * float(b) + float(c));                          \
  }                                                                                            \
  TORCHADA_DEVICE type __hmax(type a, type b) { return type(fmaxf(a, b)); }                    \
  TORCHADA_DEVICE type __hmin(type a, type b) { return type(fminf(a, b)); }                    \
  TORCHADA_DEVICE bool __heq(type a, type b) { return a == b; }                                \
  TORCHADA_DEVICE bool __hne(type a, type b) { return a != b; }                                \
  TORCHADA_DEVICE bool __hlt(type a, type b) { return a < b; }                                 \
  TORCHADA_DEVICE bool __hle(type a, type b) { return a <= b; }                                \
  TORCHADA_DEVICE bool __hgt(type a, type b) { return a > b; }                                 \
  TORCHADA_DEVICE bool __hge(type a, type b) { return a >= b; }                                \
  TORCHADA_DEVICE bool __hisnan(type a) { return float(a) != float(a); }                       \
  TORCHADA_DEVICE type hexp(type a) { return type(expf(a)); }                                  \
  TORCHADA_DEVICE type hlog(type a) { return type(logf(a)); }                                  \
  TORCHADA_DEVICE type hsqrt(type a) { return type(sqrtf(a)); }                                \
  TORCHADA_DEVICE type hrsqrt(type a) { return type(1 / sqrtf(a)); }                           \
  TORCHADA_DEVICE type hrcp(type a) { return type(1 / float(a)); }                             \
  TORCHADA_DEVICE type hsin(type a) { return type(sinf(a)); }                                  \
  TORCHADA_DEVICE type hcos(type a) { return type(cosf(a)); }                                  \
  TORCHADA_DEVICE type __low2##short_name(pair a) { return a.x; }                              \
  TORCHADA_DEVICE type __high2##short_name(pair a) { return a.y; }                             \
  TORCHADA_DEVICE float __low2float(pair a) { return a.x; }                                    \
  TORCHADA_DEVICE float __high2float(pair a) { return a.y; }                                   \
  TORCHADA_DEVICE pair __##short_name##2##short_name##2(type a) { return pair(a, a); }         \
  TORCHADA_DEVICE pair __halves2##short_name##2(type a, type b) { return pair(a, b); }         \
  TORCHADA_DEVICE pair __floats2##short_name##2_rn(float a, float b) {                         \
    return pair(type(a), type(b));                                                             \
  }                                                                                            \
  TORCHADA_DEVICE pair __float2##short_name##2_rn(float a) { return pair(type(a), type(a)); }  \
  TORCHADA_DEVICE pair __float22##short_name##2_rn(float2 a) {                                 \
    return pair(type(a.x), type(a.y));                                                         \
  }                                                                                            \
  TORCHADA_DEVICE float2 __##short_name##22float2(pair a) { return {float(a.x), float(a.y)}; } \
  TORCHADA_DEVICE pair __hadd2(pair a, pair b) { return pair(a.x + b.x, a.y + b.y); }          \
  TORCHADA_DEVICE pair __hsub2(pair a, pair b) { return pair(a.x - b.x, a.y - b.y); }          \
  TORCHADA_DEVICE pair __hmul2(pair a, pair b) { return pair(a.x * b.x, a.y * b.y); }          \
  TORCHADA_DEVICE pair __h2div(pair a, pair b) { return pair(a.x / b.x, a.y / b.y); }          \
  TORCHADA_DEVICE pair __hfma2(pair a, pair b, pair c) {                                       \
    return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                 \
  }                                                                                            \
  TORCHADA_DEVICE pair operator+(pair a, pair b) { return __hadd2(a, b); }                     \
  TORCHADA_DEVICE pair operator-(pair a, pair b) { return __hsub2(a, b); }                     \
  TORCHADA_DEVICE pair operator*(pair a, pair b) { return __hmul2(a, b); }                     \
  TORCHADA_DEVICE type atomicAdd(type* address, type value) {                                  \
    return torchada::change(address, [value](type old) -> type { return old + value; });       \
  }                                                                                            \
  TORCHADA_DEVICE pair atomicAdd(pair* address, pair value) {                                  \
    return torchada::change(address, [value](pair old) -> pair { return old + value; });       \
  }
