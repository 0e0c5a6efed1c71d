// Each row of the table of inline assembly (src/host/kernels/device/assembly.cu) that needs no
// other thread: with many numbers, against what the PTX manual says in C++. What lanes do is in
// lanes.cu.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "program.h"

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// nvcc's own device code is not run, and its assembler knows many rows for newer GPUs alone.
#if defined(TORCHADA_WARP_SIZE) || !defined(__CUDA_ARCH__)

#ifdef __NVCC__
#pragma nv_diag_suppress 186  // whether an unsigned number is below 0
#endif
typedef __int128 wide;  // holds every integer

#define EACH8(MACRO, ...) \
  MACRO(u8, __VA_ARGS__)  \
  MACRO(u16, __VA_ARGS__) \
  MACRO(u32, __VA_ARGS__) \
  MACRO(u64, __VA_ARGS__) \
  MACRO(s8, __VA_ARGS__)  \
  MACRO(s16, __VA_ARGS__) \
  MACRO(s32, __VA_ARGS__) \
  MACRO(s64, __VA_ARGS__)
// Within the other.
#define EACH8_INNER(MACRO, ...) \
  MACRO(u8, __VA_ARGS__)  \
  MACRO(u16, __VA_ARGS__) \
  MACRO(u32, __VA_ARGS__) \
  MACRO(u64, __VA_ARGS__) \
  MACRO(s8, __VA_ARGS__)  \
  MACRO(s16, __VA_ARGS__) \
  MACRO(s32, __VA_ARGS__) \
  MACRO(s64, __VA_ARGS__)
// The register of a type, and its letter in a constraint. Numbers of 8 bits are in wider ones.
#define REG_u8 u32
#define REG_s8 s32
#define REG_u16 u16
#define REG_s16 s16
#define REG_u32 u32
#define REG_s32 s32
#define REG_u64 u64
#define REG_s64 s64
#define IN_u8 "r"
#define IN_s8 "r"
#define IN_u16 "h"
#define IN_s16 "h"
#define IN_u32 "r"
#define IN_s32 "r"
#define IN_u64 "l"
#define IN_s64 "l"

#define WORDS                                                                                 \
  {                                                                                           \
    0, 1, 2, 5, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0xffa3, 0x7fffffff, \
        0x80000000, 0xffffffff, 0x123456789abcdef0, 0x7fffffffffffffff, 1ULL << 63, ~0ULL     \
  }
#define NUMBERS                                                                                    \
  {                                                                                                \
    0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.49, -3.51, 1e-3, 127.5, -128.5, 255.6, 3e4, -4e4, 7e4, \
        3e9, -3e9, 1e15, -5e18, 1e19, 1.0 / 3, 1e30, -1e30, 1e-40, INFINITY, -INFINITY, NAN        \
  }
__device__ const u64 words[] = WORDS;
__device__ const f64 numbers[] = NUMBERS;
constexpr int kWords = sizeof(words) / sizeof(words[0]);
constexpr int kNumbers = sizeof(numbers) / sizeof(numbers[0]);

template <typename T>
__device__ bool same(T a, T b) {
  return a == b || (a != a && b != b);
}
template <typename T>
__device__ void check(u32* wrong, const char* text, T found, T expected) {
  if (same(found, expected)) return;
  if (atomicAdd(wrong, 1) > 20) return;
  printf("%s: %g (%llx), expected %g (%llx)\n", text, static_cast<f64>(found),
         static_cast<u64>(found), static_cast<f64>(expected), static_cast<u64>(expected));
}
#define CASE(text, constraint, type, expected, ...)                \
  {                                                                \
    type result;                                                   \
    asm volatile(text : "=" constraint(result) : __VA_ARGS__);     \
    check<type>(wrong, text, result, static_cast<type>(expected)); \
  }
// Where a predicate is the result.
#define ASKED(text, expected, ...) \
  CASE("{.reg .pred p; " text " selp.u32 %0, 1, 0, p;}", "r", u32, (expected) ? 1 : 0, __VA_ARGS__)

template <typename T>
__device__ T clamped(wide x) {
  const wide most = static_cast<T>(-1) < 0 ? (wide{1} << (8 * sizeof(T) - 1)) - 1
                                           : (wide{1} << (8 * sizeof(T))) - 1;
  const wide least = static_cast<T>(-1) < 0 ? -most - 1 : 0;
  return static_cast<T>(x < least ? least : x > most ? most : x);
}
template <typename T>
__device__ T clamped_number(f64 x) {
  if (x != x) return 0;
  return x > 1e30    ? clamped<T>(wide{1} << 100)
         : x < -1e30 ? clamped<T>(-(wide{1} << 100))
                     : clamped<T>(static_cast<wide>(x));
}

// Whole numbers.
#define PAIR(t) IN_##t(a), IN_##t(b)
#define INTEGER(t, ...)                                                                           \
  __device__ void whole_##t(u32* wrong, t a, t b, t c) {                                          \
    const int kBits = 8 * sizeof(t);                                                              \
    const u32 by = static_cast<u32>(b) & 127;                                                     \
    CASE("add." #t " %0, %1, %2;", IN_##t, t, wide(a) + b, PAIR(t))                               \
    CASE("sub." #t " %0, %1, %2;", IN_##t, t, wide(a) - b, PAIR(t))                               \
    CASE("mul.lo." #t " %0, %1, %2;", IN_##t, t, wide(a) * b, PAIR(t))                            \
    CASE("mul.hi." #t " %0, %1, %2;", IN_##t, t, UP(t, wide(a) * b), PAIR(t))                     \
    CASE("mad.lo." #t " %0, %1, %2, %3;", IN_##t, t, wide(a) * b + c, PAIR(t), IN_##t(c))         \
    CASE("mad.hi." #t " %0, %1, %2, %3;", IN_##t, t, wide(t(UP(t, wide(a) * b))) + c, PAIR(t),    \
         IN_##t(c))                                                                               \
    if (b != 0 && b != static_cast<t>(-1)) {                                                      \
      CASE("div." #t " %0, %1, %2;", IN_##t, t, wide(a) / b, PAIR(t))                             \
      CASE("rem." #t " %0, %1, %2;", IN_##t, t, wide(a) % b, PAIR(t))                             \
    }                                                                                             \
    CASE("min." #t " %0, %1, %2;", IN_##t, t, a < b ? a : b, PAIR(t))                             \
    CASE("max." #t " %0, %1, %2;", IN_##t, t, a < b ? b : a, PAIR(t))                             \
    CASE("sad." #t " %0, %1, %2, %3;", IN_##t, t, c + (wide(a) < b ? wide(b) - a : wide(a) - b),  \
         PAIR(t), IN_##t(c))                                                                      \
    CASE("shr." #t " %0, %1, %2;", IN_##t, t, by < kBits ? wide(a) >> by : wide(a < 0 ? -1 : 0),  \
         IN_##t(a), "r"(by))                                                                      \
    CASE("slct." #t ".s32 %0, %1, %2, %3;", IN_##t, t, s32(c) >= 0 ? a : b, PAIR(t), "r"(s32(c))) \
    CASE("slct." #t ".f32 %0, %1, %2, %3;", IN_##t, t, f32(c) >= 0 ? a : b, PAIR(t), "f"(f32(c))) \
    CASE("{.reg .pred p; setp.ne.u32 p, %3, 0; selp." #t " %0, %1, %2, p;}", IN_##t, t,           \
         by % 2 != 0 ? a : b, PAIR(t), "r"(by % 2))                                               \
    ASKED("setp.eq." #t " p, %1, %2;", a == b, PAIR(t))                                           \
    ASKED("setp.ne." #t " p, %1, %2;", a != b, PAIR(t))                                           \
    ASKED("setp.lt." #t " p, %1, %2;", a < b, PAIR(t))                                            \
    ASKED("setp.le." #t " p, %1, %2;", a <= b, PAIR(t))                                           \
    ASKED("setp.gt." #t " p, %1, %2;", a > b, PAIR(t))                                            \
    ASKED("setp.ge." #t " p, %1, %2;", a >= b, PAIR(t))                                           \
  }
#define UP(t, product) ((product) >> (8 * sizeof(t)))
INTEGER(u16)
INTEGER(u32)
INTEGER(s16)
INTEGER(s32)
INTEGER(s64)
#undef UP
// A product of 128 bits without a sign.
#define UP(t, product) static_cast<t>(static_cast<unsigned __int128>(product) >> 64)
INTEGER(u64)
#define UNSIGNED(t)                                     \
  __device__ void unsigned_##t(u32* wrong, t a, t b) {  \
    ASKED("setp.lo." #t " p, %1, %2;", a < b, PAIR(t))  \
    ASKED("setp.ls." #t " p, %1, %2;", a <= b, PAIR(t)) \
    ASKED("setp.hi." #t " p, %1, %2;", a > b, PAIR(t))  \
    ASKED("setp.hs." #t " p, %1, %2;", a >= b, PAIR(t)) \
  }
UNSIGNED(u16)
UNSIGNED(u32)
UNSIGNED(u64)
#define SIGNED(t)                                                                \
  __device__ void signed_##t(u32* wrong, t a) {                                  \
    CASE("neg." #t " %0, %1;", IN_##t, t, -wide(a), IN_##t(a))                   \
    CASE("abs." #t " %0, %1;", IN_##t, t, a < 0 ? -wide(a) : wide(a), IN_##t(a)) \
  }
SIGNED(s16)
SIGNED(s32)
SIGNED(s64)
#define WIDER(t, twice)                                                                  \
  __device__ void wider_##t(u32* wrong, t a, t b, twice c) {                             \
    CASE("mul.wide." #t " %0, %1, %2;", IN_##twice, twice, wide(a) * b, PAIR(t))         \
    CASE("mad.wide." #t " %0, %1, %2, %3;", IN_##twice, twice, wide(a) * b + c, PAIR(t), \
         IN_##twice(c))                                                                  \
  }
WIDER(u16, u32)
WIDER(s16, s32)
WIDER(u32, u64)
WIDER(s32, s64)
#define BITS(t, b_t)                                                                               \
  __device__ void bits_##t(u32* wrong, t a, t b) {                                                 \
    const u32 by = static_cast<u32>(b) & 127;                                                      \
    CASE("and." #b_t " %0, %1, %2;", IN_##t, t, a& b, PAIR(t))                                     \
    CASE("or." #b_t " %0, %1, %2;", IN_##t, t, a | b, PAIR(t))                                     \
    CASE("xor." #b_t " %0, %1, %2;", IN_##t, t, a ^ b, PAIR(t))                                    \
    CASE("not." #b_t " %0, %1;", IN_##t, t, ~a, IN_##t(a))                                         \
    CASE("cnot." #b_t " %0, %1;", IN_##t, t, a == 0, IN_##t(a))                                    \
    CASE("shl." #b_t " %0, %1, %2;", IN_##t, t, by < 8 * sizeof(t) ? wide(a) << by : 0, IN_##t(a), \
         "r"(by))                                                                                  \
    CASE("shr." #b_t " %0, %1, %2;", IN_##t, t, by < 8 * sizeof(t) ? wide(a) >> by : 0, IN_##t(a), \
         "r"(by))                                                                                  \
    CASE("{.reg .pred p; setp.ne.u32 p, %3, 0; selp." #b_t " %0, %1, %2, p;}", IN_##t, t,          \
         by % 2 != 0 ? a : b, PAIR(t), "r"(by % 2))                                                \
    ASKED("setp.eq." #b_t " p, %1, %2;", a == b, PAIR(t))                                          \
    ASKED("setp.ne." #b_t " p, %1, %2;", a != b, PAIR(t))                                          \
  }
BITS(u16, b16)
BITS(u32, b32)
BITS(u64, b64)

// Fields of bits, one after the other.
template <typename T>
__device__ T field(T a, u32 begin, u32 count) {
  begin &= 255;
  count &= 255;
  const u32 bits = 8 * sizeof(T);
  if (count == 0) return 0;
  T made = 0;
  const bool sign = static_cast<T>(-1) < 0 &&
                    ((a >> (begin + count - 1 < bits - 1 ? begin + count - 1 : bits - 1)) & 1) != 0;
  for (u32 i = 0; i < bits; ++i) {
    const bool inside = i < count && begin + i < bits;
    if (inside ? (a >> (begin + i) & 1) != 0 : sign) made |= static_cast<T>(u64{1} << i);
  }
  return made;
}
template <typename T>
__device__ T placed(T a, T b, u32 begin, u32 count) {
  begin &= 255;
  count &= 255;
  for (u32 i = 0; i < count && begin + i < 8 * sizeof(T); ++i) {
    const T one = T{1} << (begin + i);
    b = (a >> i & 1) != 0 ? b | one : b & ~one;
  }
  return b;
}
template <typename T>
__device__ u32 highest(T a) {
  for (u32 i = 8 * sizeof(T); i-- > 0;) {
    if ((a >> i & 1) != (a < 0 ? 1 : 0)) return i;
  }
  return ~0U;
}
#define FIELDS(t)                                                                                \
  __device__ void fields_##t(u32* wrong, t a, u32 begin, u32 count) {                            \
    CASE("bfe." #t " %0, %1, %2, %3;", IN_##t, t, field(a, begin, count), IN_##t(a), "r"(begin), \
         "r"(count))                                                                             \
    CASE("bfind." #t " %0, %1;", "r", u32, highest(a), IN_##t(a))                                \
    CASE("bfind.shiftamt." #t " %0, %1;", "r", u32,                                              \
         highest(a) == ~0U ? ~0U : 8 * u32(sizeof(t)) - 1 - highest(a), IN_##t(a))               \
  }
FIELDS(u32)
FIELDS(s32)
FIELDS(u64)
FIELDS(s64)
__device__ u32 permuted(u32 a, u32 b, u32 selectors) {
  const u64 both = u64{b} << 32 | a;
  u32 made = 0;
  for (u32 i = 0; i < 4; ++i) made |= u32(both >> (selectors >> 4 * i & 7) * 8 & 255) << 8 * i;
  return made;
}
#define DOT(A, B)                                                                               \
  CASE("dp4a." #A "." #B " %0, %1, %2, %3;", "r", s32, (dotted<A##_8, B##_8>(a, b, 4)) + c,     \
       "r"(a), "r"(b), "r"(c))                                                                  \
  CASE("dp2a.lo." #A "." #B " %0, %1, %2, %3;", "r", s32, (dotted<A##_16, B##_8>(a, b, 2)) + c, \
       "r"(a), "r"(b), "r"(c))                                                                  \
  CASE("dp2a.hi." #A "." #B " %0, %1, %2, %3;", "r", s32,                                       \
       (dotted<A##_16, B##_8>(a, b >> 16, 2)) + c, "r"(a), "r"(b), "r"(c))
typedef s8 s32_8;
typedef u8 u32_8;
typedef s16 s32_16;
typedef u16 u32_16;
template <typename A, typename B>
__device__ s64 dotted(u32 a, u32 b, int count) {
  s64 sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += s64{static_cast<A>(a >> 8 * sizeof(A) * i)} * static_cast<B>(b >> 8 * sizeof(B) * i);
  }
  return sum;
}
__device__ void others(u32* wrong, u32 a, u32 b, u32 c) {
  const u64 long_a = u64{c} << 32 | a, long_b = u64{b} << 32 | c, joined = u64{b} << 32 | a;
  const s32 x = s32(a), y = s32(b), z = s32(c);
  const u32 begin = b & 63, count = c & 63;
  CASE("add.sat.s32 %0, %1, %2;", "r", s32, clamped<s32>(wide(x) + y), "r"(x), "r"(y))
  CASE("sub.sat.s32 %0, %1, %2;", "r", s32, clamped<s32>(wide(x) - y), "r"(x), "r"(y))
  CASE("mad.hi.sat.s32 %0, %1, %2, %3;", "r", s32, clamped<s32>((wide(x) * y >> 32) + z), "r"(x),
       "r"(y), "r"(z))
  const s64 x24 = s32(a << 8) / 256, y24 = s32(b << 8) / 256;
  const u64 a24 = a % (1U << 24), b24 = b % (1U << 24);
  CASE("mul24.lo.s32 %0, %1, %2;", "r", s32, x24 * y24, "r"(x), "r"(y))
  CASE("mul24.hi.s32 %0, %1, %2;", "r", s32, x24 * y24 >> 16, "r"(x), "r"(y))
  CASE("mul24.lo.u32 %0, %1, %2;", "r", u32, a24 * b24, "r"(a), "r"(b))
  CASE("mul24.hi.u32 %0, %1, %2;", "r", u32, a24 * b24 >> 16, "r"(a), "r"(b))
  CASE("mad24.lo.s32 %0, %1, %2, %3;", "r", s32, x24 * y24 + z, "r"(x), "r"(y), "r"(z))
  CASE("mad24.lo.u32 %0, %1, %2, %3;", "r", u32, a24 * b24 + c, "r"(a), "r"(b), "r"(c))
  u32 ones = 0, zeros = 32, ones64 = 0, zeros64 = 64, turned = 0, nth = ~0U;
  u64 turned64 = 0;
  for (u32 i = 0; i < 64; ++i) {
    ones64 += long_a >> i & 1;
    turned64 |= (long_a >> i & 1) << (63 - i);
    if ((long_a >> i & 1) != 0) zeros64 = 63 - i;
    if (i > 31 || (a >> i & 1) == 0) continue;
    ones += 1;
    turned |= 1U << (31 - i);
    zeros = 31 - i;
    if (i >= begin % 32 && ones64 > 0 && nth == ~0U) nth = i;
  }
  CASE("popc.b32 %0, %1;", "r", u32, ones, "r"(a))
  CASE("popc.b64 %0, %1;", "r", u32, ones64, "l"(long_a))
  CASE("clz.b32 %0, %1;", "r", u32, zeros, "r"(a))
  CASE("clz.b64 %0, %1;", "r", u32, zeros64, "l"(long_a))
  CASE("brev.b32 %0, %1;", "r", u32, turned, "r"(a))
  CASE("brev.b64 %0, %1;", "l", u64, turned64, "l"(long_a))
  CASE("fns.b32 %0, %1, %2, 1;", "r", u32, nth, "r"(a), "r"(begin % 32))
  CASE("bfi.b32 %0, %1, %2, %3, %4;", "r", u32, placed(a, b, begin, count), "r"(a), "r"(b),
       "r"(begin), "r"(count))
  CASE("bfi.b64 %0, %1, %2, %3, %4;", "l", u64, placed(long_a, long_b, begin, count), "l"(long_a),
       "l"(long_b), "r"(begin), "r"(count))
  CASE("bmsk.clamp.b32 %0, %1, %2;", "r", u32, placed(~0U, 0U, begin, count), "r"(begin),
       "r"(count))
  CASE("bmsk.wrap.b32 %0, %1, %2;", "r", u32, placed(~0U, 0U, begin % 32, count % 32), "r"(begin),
       "r"(count))
  CASE("szext.clamp.u32 %0, %1, %2;", "r", u32, count < 32 ? field(a, 0, count) : a, "r"(a),
       "r"(count))
  CASE("szext.clamp.s32 %0, %1, %2;", "r", s32, count < 32 ? field(x, 0, count) : x, "r"(x),
       "r"(count))
  CASE("szext.wrap.u32 %0, %1, %2;", "r", u32, field(a, 0, count % 32), "r"(a), "r"(count))
  CASE("szext.wrap.s32 %0, %1, %2;", "r", s32, field(x, 0, count % 32), "r"(x), "r"(count))
  CASE("lop3.b32 %0, %1, %2, %3, 0xca;", "r", u32, (a & b) | (~a & c), "r"(a), "r"(b), "r"(c))
  CASE("shf.l.wrap.b32 %0, %1, %2, %3;", "r", u32, (joined << c % 32) >> 32, "r"(a), "r"(b), "r"(c))
  CASE("shf.r.wrap.b32 %0, %1, %2, %3;", "r", u32, joined >> c % 32, "r"(a), "r"(b), "r"(c))
  CASE("shf.l.clamp.b32 %0, %1, %2, %3;", "r", u32, c < 32 ? (joined << c) >> 32 : a, "r"(a),
       "r"(b), "r"(c))
  CASE("shf.r.clamp.b32 %0, %1, %2, %3;", "r", u32, c < 32 ? joined >> c : b, "r"(a), "r"(b),
       "r"(c))
  const u32 pick = c & 0x7777, s = c & 3;
  CASE("prmt.b32 %0, %1, %2, %3;", "r", u32, permuted(a, b, pick), "r"(a), "r"(b), "r"(pick))
  CASE("prmt.b32.f4e %0, %1, %2, %3;", "r", u32, permuted(a, b, 0x3210 + 0x1111 * s), "r"(a),
       "r"(b), "r"(s))
  const u32 backward[] = {0x5670, 0x6701, 0x7012, 0x0123},
            left[] = {0x3210, 0x3211, 0x3222, 0x3333}, right[] = {0x0000, 0x1110, 0x2210, 0x3210};
  CASE("prmt.b32.b4e %0, %1, %2, %3;", "r", u32, permuted(a, b, backward[s]), "r"(a), "r"(b),
       "r"(s))
  CASE("prmt.b32.rc8 %0, %1, %2, %3;", "r", u32, permuted(a, b, 0x1111 * s), "r"(a), "r"(b), "r"(s))
  CASE("prmt.b32.ecl %0, %1, %2, %3;", "r", u32, permuted(a, b, left[s]), "r"(a), "r"(b), "r"(s))
  CASE("prmt.b32.ecr %0, %1, %2, %3;", "r", u32, permuted(a, b, right[s]), "r"(a), "r"(b), "r"(s))
  CASE("prmt.b32.rc16 %0, %1, %2, %3;", "r", u32, permuted(a, b, s % 2 == 0 ? 0x1010 : 0x3232),
       "r"(a), "r"(b), "r"(s))
  DOT(s32, s32)
  DOT(s32, u32)
  DOT(u32, s32)
  DOT(u32, u32)
  CASE("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;", "r", u32, (b < 32 ? a >> b : 0) + c, "r"(a),
       "r"(b), "r"(c))
  CASE("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;", "r", u32, (b < 32 ? a << b : 0) + c, "r"(a),
       "r"(b), "r"(c))
  CASE("vadd.u32.u32.u32.add %0, %1, %2, %3;", "r", u32, a + b + c, "r"(a), "r"(b), "r"(c))
  u32 apart = 0;
  for (int place = 0; place < 32; place += 8) {
    const int left_byte = a >> place & 255, right_byte = b >> place & 255;
    apart += left_byte > right_byte ? left_byte - right_byte : right_byte - left_byte;
  }
  CASE("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", "r", u32, apart + c, "r"(a), "r"(b), "r"(c))
  const bool p = a % 2 != 0, q = b % 2 != 0;
#define OF_PREDICATES(op, expected)                                                            \
  ASKED(".reg .pred q; setp.ne.u32 p, %1, 0; setp.ne.u32 q, %2, 0; " op, expected, "r"(a % 2), \
        "r"(b % 2))
  OF_PREDICATES("and.pred p, p, q;", p && q)
  OF_PREDICATES("or.pred p, p, q;", p || q)
  OF_PREDICATES("xor.pred p, p, q;", p != q)
  OF_PREDICATES("not.pred p, q;", !q)
}

__global__ void whole_numbers(u32* wrong) {
  for (int i = 0; i < kWords; ++i) {
    for (int j = 0; j < kWords; ++j) {
      const u64 a = words[i], b = words[j], c = words[(i * 5 + j) % kWords];
      whole_u16(wrong, u16(a), u16(b), u16(c));
      whole_u32(wrong, u32(a), u32(b), u32(c));
      whole_u64(wrong, a, b, c);
      whole_s16(wrong, s16(a), s16(b), s16(c));
      whole_s32(wrong, s32(a), s32(b), s32(c));
      whole_s64(wrong, s64(a), s64(b), s64(c));
      unsigned_u16(wrong, u16(a), u16(b));
      unsigned_u32(wrong, u32(a), u32(b));
      unsigned_u64(wrong, a, b);
      wider_u16(wrong, u16(a), u16(b), u32(c));
      wider_s16(wrong, s16(a), s16(b), s32(c));
      wider_u32(wrong, u32(a), u32(b), c);
      wider_s32(wrong, s32(a), s32(b), s64(c));
      bits_u16(wrong, u16(a), u16(b));
      bits_u32(wrong, u32(a), u32(b));
      bits_u64(wrong, a, b);
      fields_u32(wrong, u32(a), u32(b) & 127, u32(c) & 127);
      fields_s32(wrong, s32(a), u32(b) & 127, u32(c) & 127);
      fields_u64(wrong, a, u32(b) & 127, u32(c) & 127);
      fields_s64(wrong, s64(a), u32(b) & 127, u32(c) & 127);
      others(wrong, u32(a), u32(b), u32(c));
    }
    signed_s16(wrong, s16(words[i]));
    signed_s32(wrong, s32(words[i]));
    signed_s64(wrong, s64(words[i]));
  }
}

// Numbers with a fraction. What intrinsics compute is compared with MPFR elsewhere.
// +0 is more than -0.
__device__ f64 least(f64 a, f64 b) {
  if (a == 0 && b == 0) return signbit(a) ? a : b;
  return a != a ? b : b != b ? a : a < b ? a : b;
}
__device__ f32 saturated(f32 x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
#define DIRECTION(t, c, prefix, fma_name, direction, suffix)                                       \
  CASE("add." direction "." #t " %0, %1, %2;", c, t, __##prefix##add_##suffix(a, b), c(a), c(b))   \
  CASE("sub." direction "." #t " %0, %1, %2;", c, t, __##prefix##sub_##suffix(a, b), c(a), c(b))   \
  CASE("mul." direction "." #t " %0, %1, %2;", c, t, __##prefix##mul_##suffix(a, b), c(a), c(b))   \
  CASE("div." direction "." #t " %0, %1, %2;", c, t, __##prefix##div_##suffix(a, b), c(a), c(b))   \
  CASE("fma." direction "." #t " %0, %1, %2, %3;", c, t, fma_name##_##suffix(a, b, x), c(a), c(b), \
       c(x))                                                                                       \
  CASE("rcp." direction "." #t " %0, %1;", c, t, __##prefix##rcp_##suffix(a), c(a))                \
  CASE("sqrt." direction "." #t " %0, %1;", c, t, __##prefix##sqrt_##suffix(a), c(a))
#define COMPARED(t, c, name, op)                                                         \
  ASKED("setp." #name "." #t " p, %1, %2;", !(a != a || b != b) && (a op b), c(a), c(b)) \
  ASKED("setp." #name "u." #t " p, %1, %2;", a != a || b != b || (a op b), c(a), c(b))
#define FRACTION(t, c, f, prefix, fma_name)                                                       \
  __device__ void fraction_##t(u32* wrong, t a, t b, t x) {                                       \
    DIRECTION(t, c, prefix, fma_name, "rn", rn)                                                   \
    DIRECTION(t, c, prefix, fma_name, "rz", rz)                                                   \
    DIRECTION(t, c, prefix, fma_name, "rm", rd)                                                   \
    DIRECTION(t, c, prefix, fma_name, "rp", ru)                                                   \
    CASE("mad.rn." #t " %0, %1, %2, %3;", c, t, fma_name##_rn(a, b, x), c(a), c(b), c(x))         \
    CASE("rsqrt.approx." #t " %0, %1;", c, t, rsqrt##f(a), c(a))                                  \
    CASE("min." #t " %0, %1, %2;", c, t, a != a ? b : b != b ? a : a < b ? a : b, c(a), c(b))     \
    CASE("max." #t " %0, %1, %2;", c, t, a != a ? b : b != b ? a : a > b ? a : b, c(a), c(b))     \
    CASE("min.NaN." #t " %0, %1, %2;", c, t, a != a ? a : b != b ? b : a < b ? a : b, c(a), c(b)) \
    CASE("max.NaN." #t " %0, %1, %2;", c, t, a != a ? a : b != b ? b : a > b ? a : b, c(a), c(b)) \
    CASE("neg." #t " %0, %1;", c, t, -a, c(a))                                                    \
    CASE("abs." #t " %0, %1;", c, t, a < 0 ? -a : a, c(a))                                        \
    CASE("copysign." #t " %0, %1, %2;", c, t, copysign##f(b, a), c(a), c(b))                      \
    CASE("{.reg .pred p; setp.num." #t " p, %3, %3; selp." #t " %0, %1, %2, p;}", c, t,           \
         x == x ? a : b, c(a), c(b), c(x))                                                        \
    CASE("slct." #t ".s32 %0, %1, %2, %3;", c, t, x >= 0 ? a : b, c(a), c(b),                     \
         "r"(x >= 0 ? 0 : -1))                                                                    \
    ASKED("testp.finite." #t " p, %1;", a - a == 0, c(a))                                         \
    ASKED("testp.infinite." #t " p, %1;", a == a && a - a != 0, c(a))                             \
    ASKED("testp.number." #t " p, %1;", a == a, c(a))                                             \
    ASKED("testp.notanumber." #t " p, %1;", a != a, c(a))                                         \
    ASKED("setp.nan." #t " p, %1, %2;", a != a || b != b, c(a), c(b))                             \
    COMPARED(t, c, eq, ==)                                                                        \
    COMPARED(t, c, ne, !=)                                                                        \
    COMPARED(t, c, lt, <)                                                                         \
    COMPARED(t, c, le, <=)                                                                        \
    COMPARED(t, c, gt, >)                                                                         \
    COMPARED(t, c, ge, >=)                                                                        \
  }
FRACTION(f32, "f", f, f, __fmaf)
FRACTION(f64, "d", , d, __fma)
__device__ void approximate(u32* wrong, f32 a) {
  CASE("ex2.approx.f32 %0, %1;", "f", f32, exp2f(a), "f"(a))
  CASE("lg2.approx.f32 %0, %1;", "f", f32, log2f(a), "f"(a))
  CASE("sin.approx.f32 %0, %1;", "f", f32, sinf(a), "f"(a))
  CASE("cos.approx.f32 %0, %1;", "f", f32, cosf(a), "f"(a))
  CASE("tanh.approx.f32 %0, %1;", "f", f32, tanhf(a), "f"(a))
  CASE("add.sat.f32 %0, %1, %1;", "f", f32, saturated(a + a), "f"(a))
  const f32 flushed = fabsf(a) < 0x1p-126F ? copysignf(0, a) : a;
  CASE("mul.ftz.f32 %0, %1, 0f3F800000;", "f", f32, flushed, "f"(a))
}

// Half and bfloat16, and two of them in a word: that of a and b, and that of b and a.
#define NARROW(t, type, to_bits, from_bits, from_number)                                         \
  __device__ f32 value_##t(u16 bits) { return static_cast<f32>(from_bits(bits)); }               \
  __device__ u16 near_##t(f64 x) { return x != x ? 0x7fff : to_bits(from_number(x)); }           \
  __device__ u16 fused_##t(u16 a, u16 b, u16 c) {                                                 \
    return to_bits(__hfma(from_bits(a), from_bits(b), from_bits(c)));                             \
  }                                                                                               \
  __device__ u16 known_##t(u16 x) { return value_##t(x) != value_##t(x) ? 0x7fff : x; }          \
  __device__ u32 both_##t(u16 low, u16 up) { return u32{known_##t(up)} << 16 | known_##t(low); } \
  __device__ void narrow_##t(u32* wrong, u16 a, u16 b, u16 c) {                                  \
    const u32 x = u32{b} << 16 | a, y = u32{a} << 16 | b, z = u32{c} << 16 | c;                  \
    TWO(t, "add.", near_##t(f64(p) + q))                                                         \
    TWO(t, "sub.", near_##t(f64(p) - q))                                                         \
    TWO(t, "mul.", near_##t(f64(p) * q))                                                         \
    TWO(t, "add.sat.", near_##t(saturated(value_##t(near_##t(f64(p) + q)))))                     \
    TWO(t, "sub.sat.", near_##t(saturated(value_##t(near_##t(f64(p) - q)))))                     \
    TWO(t, "mul.sat.", near_##t(saturated(value_##t(near_##t(f64(p) * q)))))                     \
    TWO(t, "min.", near_##t(least(p, q)))                                               \
    TWO(t, "max.", near_##t(-least(-p, -q)))                                               \
    TWO(t, "min.NaN.", near_##t(p != p || q != q ? NAN : least(p, q)))                  \
    TWO(t, "max.NaN.", near_##t(p != p || q != q ? NAN : -least(-p, -q)))                  \
    ONE(t, "neg.", near_##t(-p))                                                                 \
    ONE(t, "abs.", near_##t(fabsf(p)))                                                           \
    ONE(t, "ex2.approx.", near_##t(exp2f(p)))                                                    \
    ONE(t, "tanh.approx.", near_##t(tanhf(p)))                                                   \
    THREE(t, "fma.rn.", sum)                                                                     \
    THREE(t, "fma.rn.sat.", near_##t(saturated(value_##t(sum))))                                 \
    THREE(t, "fma.rn.relu.", value_##t(sum) < 0 ? u16(0) : sum)                                  \
    const f32 v = value_##t(a), w = value_##t(b);                                                \
    NARROW_COMPARED(t, eq, ==)                                                                   \
    NARROW_COMPARED(t, ne, !=)                                                                   \
    NARROW_COMPARED(t, lt, <)                                                                    \
    NARROW_COMPARED(t, le, <=)                                                                   \
    NARROW_COMPARED(t, gt, >)                                                                    \
    NARROW_COMPARED(t, ge, >=)                                                                   \
  }
#define NARROW_COMPARED(t, name, op)                                                      \
  ASKED("setp." #name "." #t " p, %1, %2;", v == v && w == w && (v op w), "h"(a), "h"(b)) \
  ASKED("setp." #name "u." #t " p, %1, %2;", v != v || w != w || (v op w), "h"(a), "h"(b))
#define KNOWN(t, text, constraint, type, known, expected, ...) \
  {                                                            \
    type result;                                               \
    asm volatile(text : "=" constraint(result) : __VA_ARGS__); \
    check<type>(wrong, text, known, expected);                 \
  }
#define NARROW_CASE(t, name, operands, of_ab, of_ba, one, two)                        \
  KNOWN(t, name #t operands, "h", u16, known_##t(result), known_##t(of_ab), one)      \
  KNOWN(t, name #t "x2" operands, "r", u32, both_##t(u16(result), u16(result >> 16)), \
        both_##t(of_ab, of_ba), two)
#define LIST(...) __VA_ARGS__
#define TWO(t, name, expression)                                                             \
  {                                                                                          \
    const auto made = [](f32 p, f32 q) -> u16 { return expression; };                        \
    const u16 ab = made(value_##t(a), value_##t(b)), ba = made(value_##t(b), value_##t(a));  \
    NARROW_CASE(t, name, " %0, %1, %2;", ab, ba, LIST("h"(a), "h"(b)), LIST("r"(x), "r"(y))) \
  }
#define ONE(t, name, expression)                                             \
  {                                                                          \
    const auto made = [](f32 p) -> u16 { return expression; };               \
    const u16 of_a = made(value_##t(a)), of_b = made(value_##t(b));          \
    NARROW_CASE(t, name, " %0, %1;", of_a, of_b, LIST("h"(a)), LIST("r"(x))) \
  }
#define THREE(t, name, expression)                                                                \
  {                                                                                               \
    const u16 sum = fused_##t(a, b, c), made = expression; \
    NARROW_CASE(t, name, " %0, %1, %2, %3;", made, made, LIST("h"(a), "h"(b), "h"(c)),            \
                LIST("r"(x), "r"(y), "r"(z)))                                                     \
  }
NARROW(f16, __half, __half_as_ushort, __ushort_as_half, __double2half)
NARROW(bf16, __nv_bfloat16, __bfloat16_as_ushort, __ushort_as_bfloat16, __double2bfloat16)

__global__ void fractions(u32* wrong) {
  for (int i = 0; i < kNumbers; ++i) {
    for (int j = 0; j < kNumbers; ++j) {
      const f64 a = numbers[i], b = numbers[j], c = numbers[(i * 5 + j) % kNumbers];
      fraction_f32(wrong, f32(a), f32(b), f32(c));
      fraction_f64(wrong, a, b, c);
      narrow_f16(wrong, near_f16(a), near_f16(b), near_f16(c));
      narrow_bf16(wrong, near_bf16(a), near_bf16(b), near_bf16(c));
    }
    approximate(wrong, f32(numbers[i]));
  }
}

// Conversions.
#define BETWEEN(from, ...)                                                                        \
  __device__ void from_##from(u32* wrong, u64 word) {                                             \
    const from a = static_cast<from>(word);                                                       \
    const REG_##from in = static_cast<REG_##from>(word);                                          \
    EACH8_INNER(BETWEEN_TO, from)                                                                       \
    FROM_WHOLE(from, f32, "f", float)                                                             \
    FROM_WHOLE(from, f64, "d", double)                                                            \
    const s64 whole = static_cast<s64>(a);                                                        \
    const bool sign = static_cast<from>(-1) < 0;                                                  \
    CASE("cvt.rn.f16." #from " %0, %1;", "h", u16,                                                \
         __half_as_ushort(sign ? __ll2half_rn(whole) : __ull2half_rn(u64(whole))), IN_##from(in)) \
    CASE("cvt.rn.bf16." #from " %0, %1;", "h", u16,                                               \
         __bfloat16_as_ushort(sign ? __ll2bfloat16_rn(whole) : __ull2bfloat16_rn(u64(whole))),    \
         IN_##from(in))                                                                           \
  }
#define BETWEEN_TO(to, from)                                                                  \
  CASE("cvt." #to "." #from " %0, %1;", IN_##to, REG_##to, static_cast<to>(a), IN_##from(in)) \
  CASE("cvt.sat." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped<to>(a), IN_##from(in))
#define FROM_WHOLE(from, t, c, name)        \
  FROM_WHOLE_BY(from, t, c, name, "rn", rn) \
  FROM_WHOLE_BY(from, t, c, name, "rz", rz) \
  FROM_WHOLE_BY(from, t, c, name, "rm", rd) \
  FROM_WHOLE_BY(from, t, c, name, "rp", ru)
#define FROM_WHOLE_BY(from, t, c, name, direction, suffix)          \
  CASE("cvt." direction "." #t "." #from " %0, %1;", c, t,          \
       static_cast<from>(-1) < 0 ? __ll2##name##_##suffix(s64(a))   \
                                 : __ull2##name##_##suffix(u64(a)), \
       IN_##from(in))
EACH8(BETWEEN)
#define TO_WHOLE(to, from, c, in)                                                                  \
  CASE("cvt.rni." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped_number<to>(rint(x)), c(in)) \
  CASE("cvt.rzi." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped_number<to>(trunc(x)),       \
       c(in))                                                                                      \
  CASE("cvt.rmi." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped_number<to>(floor(x)),       \
       c(in))                                                                                      \
  CASE("cvt.rpi." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped_number<to>(ceil(x)), c(in)) \
  CASE("cvt.rni.sat." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped_number<to>(rint(x)),    \
       c(in))                                                                                      \
  CASE("cvt.rzi.sat." #to "." #from " %0, %1;", IN_##to, REG_##to, clamped_number<to>(trunc(x)),   \
       c(in))
#define FROM_FRACTION(from, type, c, value)          \
  __device__ void from_##from(u32* wrong, type in) { \
    const f64 x = value;                             \
    EACH8(TO_WHOLE, from, c, in)                     \
  }
FROM_FRACTION(f32, f32, "f", in)
FROM_FRACTION(f64, f64, "d", in)
FROM_FRACTION(f16, u16, "h", value_f16(in))
FROM_FRACTION(bf16, u16, "h", value_bf16(in))
#define OWN(t, c)                                                   \
  CASE("cvt.rni." #t "." #t " %0, %1;", c, t, rint(t(a)), c(t(a)))  \
  CASE("cvt.rzi." #t "." #t " %0, %1;", c, t, trunc(t(a)), c(t(a))) \
  CASE("cvt.rmi." #t "." #t " %0, %1;", c, t, floor(t(a)), c(t(a))) \
  CASE("cvt.rpi." #t "." #t " %0, %1;", c, t, ceil(t(a)), c(t(a)))  \
  CASE("cvt." #t "." #t " %0, %1;", c, t, t(a), c(t(a)))
#define TO_NARROW(t, name, bits)                                                                   \
  KNOWN(t, "cvt.rn." #t ".f32 %0, %1;", "h", u16, known_##t(result), near_##t(x), "f"(x))          \
  KNOWN(t, "cvt.rn." #t ".f64 %0, %1;", "h", u16, known_##t(result), near_##t(a), "d"(a))          \
  KNOWN(t, "cvt.rz." #t ".f32 %0, %1;", "h", u16, known_##t(result),                               \
        known_##t(bits(__float2##name##_rz(x))), "f"(x))                                           \
  KNOWN(t, "cvt.rn.relu." #t ".f32 %0, %1;", "h", u16, known_##t(result), near_##t(x < 0 ? 0 : x), \
        "f"(x))                                                                                    \
  KNOWN(t, "cvt.rn." #t "x2.f32 %0, %1, %2;", "r", u32, both_##t(u16(result), u16(result >> 16)),  \
        both_##t(near_##t(y), near_##t(x)), "f"(x), "f"(y))                                        \
  KNOWN(t, "cvt.rn.relu." #t "x2.f32 %0, %1, %2;", "r", u32,                                       \
        both_##t(u16(result), u16(result >> 16)),                                                  \
        both_##t(near_##t(y < 0 ? 0 : y), near_##t(x < 0 ? 0 : x)), "f"(x), "f"(y))                \
  KNOWN(t, "cvt.rz." #t "x2.f32 %0, %1, %2;", "r", u32, both_##t(u16(result), u16(result >> 16)),  \
        both_##t(bits(__float2##name##_rz(y)), bits(__float2##name##_rz(x))), "f"(x), "f"(y))      \
  CASE("cvt.f32." #t " %0, %1;", "f", f32, value_##t(near_##t(a)), "h"(near_##t(a)))               \
  CASE("cvt.f64." #t " %0, %1;", "d", f64, value_##t(near_##t(a)), "h"(near_##t(a)))
// All 256 numbers of 8 bits, and the one that is nearest.
__device__ f64 value_of_8(u32 bits, u32 mantissa) {
  const s32 bias = mantissa == 3 ? 7 : 15,
            exponent = s32(bits >> mantissa & ((64U >> mantissa) * 2 - 1));
  const u32 digits = bits & ((1U << mantissa) - 1);
  const f64 x = exponent == 0
                    ? ldexp(f64(digits), 1 - bias - s32(mantissa))
                    : ldexp(f64(digits + (1U << mantissa)), exponent - bias - s32(mantissa));
  return bits >= 128 ? -x : x;
}
__device__ u32 nearest_of_8(f64 x, u32 mantissa, u32 largest) {
  if (x != x) return 0x7f;
  u32 best = 0;
  for (u32 bits = 0; bits <= largest; ++bits) {
    const f64 off = fabs(value_of_8(bits, mantissa) - fabs(x));
    const f64 least = fabs(value_of_8(best, mantissa) - fabs(x));
    if (off < least || (off == least && bits % 2 == 0)) best = bits;
  }
  if (fabs(x) > value_of_8(largest, mantissa)) best = largest;
  return best | (signbit(x) ? 128 : 0);
}
#define EIGHT_BITS(t, mantissa, largest)                                                     \
  CASE("cvt.rn.satfinite." #t "x2.f32 %0, %1, %2;", "h", u16,                                \
       nearest_of_8(x, mantissa, largest) << 8 | nearest_of_8(y, mantissa, largest), "f"(x), \
       "f"(y))                                                                               \
  CASE("cvt.rn.satfinite.relu." #t "x2.f32 %0, %1, %2;", "h", u16,                           \
       nearest_of_8(x < 0 ? 0 : x, mantissa, largest) << 8 |                                 \
           nearest_of_8(y < 0 ? 0 : y, mantissa, largest),                                   \
       "f"(x), "f"(y))                                                                       \
  CASE("cvt.rn.satfinite." #t "x2.f16x2 %0, %1;", "h", u16,                                  \
       nearest_of_8(value_f16(near_f16(x)), mantissa, largest) << 8 |                        \
           nearest_of_8(value_f16(near_f16(y)), mantissa, largest),                          \
       "r"(u32{near_f16(x)} << 16 | near_f16(y)))
#define OF_8_BITS(t, mantissa, largest)                    \
  for (u32 bits = 0; bits <= largest; ++bits) {            \
    CASE("cvt.rn.f16x2." #t "x2 %0, %1;", "r", u32,        \
         u32{near_f16(value_of_8(bits, mantissa))} << 16 | \
             near_f16(value_of_8(bits | 128, mantissa)),   \
         "h"(u16(bits << 8 | bits | 128)))                 \
  }
__device__ void between_fractions(u32* wrong, f64 a, f64 b) {
  const f32 x = f32(a), y = f32(b);
  OWN(f32, "f")
  OWN(f64, "d")
  CASE("cvt.f64.f32 %0, %1;", "d", f64, x, "f"(x))
  CASE("cvt.rn.f32.f64 %0, %1;", "f", f32, __double2float_rn(a), "d"(a))
  CASE("cvt.rz.f32.f64 %0, %1;", "f", f32, __double2float_rz(a), "d"(a))
  CASE("cvt.rm.f32.f64 %0, %1;", "f", f32, __double2float_rd(a), "d"(a))
  CASE("cvt.rp.f32.f64 %0, %1;", "f", f32, __double2float_ru(a), "d"(a))
  TO_NARROW(f16, half, __half_as_ushort)
  TO_NARROW(bf16, bfloat16, __bfloat16_as_ushort)
  EIGHT_BITS(e4m3, 3, 0x7e)
  EIGHT_BITS(e5m2, 2, 0x7b)
  // Half of the last of 10 bits goes away from 0.
  const f32 step = x == 0 || x - x != 0 ? 0 : ldexpf(1, max(ilogbf(x), -126) - 10);
  CASE("cvt.rna.tf32.f32 %0, %1;", "r", u32,
       __float_as_uint(step == 0 ? x : copysignf(floorf(fabsf(x) / step + 0.5F) * step, x)), "f"(x))
}
#define CONVERT_WORD(t, ...) from_##t(wrong, words[i]);
__global__ void conversions(u32* wrong) {
  for (int i = 0; i < kWords; ++i) {
    EACH8(CONVERT_WORD)
  }
  for (int i = 0; i < kNumbers; ++i) {
    from_f32(wrong, f32(numbers[i]));
    from_f64(wrong, numbers[i]);
    from_f16(wrong, near_f16(numbers[i]));
    from_bf16(wrong, near_bf16(numbers[i]));
    for (int j = 0; j < kNumbers; ++j) between_fractions(wrong, numbers[i], numbers[j]);
  }
  OF_8_BITS(e4m3, 3, 0x7e)
  OF_8_BITS(e5m2, 2, 0x7b)
}

// Memory that threads share: what is there, and what the instruction leaves.
#define ATOM(t, c, type, op, before, value, after)                                \
  {                                                                               \
    type* const at = reinterpret_cast<type*>(memory);                             \
    type result;                                                                  \
    *at = before;                                                                 \
    asm volatile("atom." op "." #t " %0, [%1], %2;"                               \
                 : "=" c(result)                                                  \
                 : "l"(at), c(value)                                              \
                 : "memory");                                                     \
    check<type>(wrong, "atom." op "." #t, result, before);                        \
    check<type>(wrong, "what atom." op "." #t " leaves", *at, after);             \
    *at = before;                                                                 \
    asm volatile("red." op "." #t " [%0], %1;" : : "l"(at), c(value) : "memory"); \
    check<type>(wrong, "what red." op "." #t " leaves", *at, after);              \
  }
#define EXCHANGE(t, c, type)                               \
  {                                                        \
    type* const at = reinterpret_cast<type*>(memory);      \
    type result;                                           \
    *at = type(a);                                         \
    asm volatile("atom.cas." #t " %0, [%1], %2, %3;"       \
                 : "=" c(result)                           \
                 : "l"(at), c(type(b)), c(type(5))         \
                 : "memory");                              \
    check<type>(wrong, "atom.cas." #t, result, type(a));   \
    check<type>(wrong, "what atom.cas." #t " leaves", *at, \
                type(a) == type(b) ? type(5) : type(a));   \
  }
#define ATOMS(t)                                                   \
  ATOM(t, IN_##t, t, "add", t(a), t(b), t(u64(a) + u64(b)))        \
  ATOM(t, IN_##t, t, "min", t(a), t(b), t(a) < t(b) ? t(a) : t(b)) \
  ATOM(t, IN_##t, t, "max", t(a), t(b), t(a) > t(b) ? t(a) : t(b))
#define ATOMS_OF_BITS(t, c, type)                                     \
  ATOM(t, c, type, "and", type(a), type(b), type(a) & type(b))        \
  ATOM(t, c, type, "or", type(a), type(b), type(a) | type(b))         \
  ATOM(t, c, type, "xor", type(a), type(b), type(a) ^ type(b))        \
  EXCHANGE(t, c, type) {                                              \
    type* const at = reinterpret_cast<type*>(memory);                 \
    type result;                                                      \
    *at = type(a);                                                    \
    asm volatile("atom.exch." #t " %0, [%1], %2;"                     \
                 : "=" c(result)                                      \
                 : "l"(at), c(type(b))                                \
                 : "memory");                                         \
    check<type>(wrong, "atom.exch." #t, result, type(a));             \
    check<type>(wrong, "what atom.exch." #t " leaves", *at, type(b)); \
  }
#define ATOM_OF_NARROW(t)                                                       \
  ATOM(t, "h", u16, "add.noftz", near_##t(x), near_##t(y),                      \
       near_##t(f64(value_##t(near_##t(x))) + value_##t(near_##t(y))))          \
  ATOM(t##x2, "r", u32, "add.noftz", both_##t(near_##t(x), near_##t(y)),        \
       both_##t(near_##t(y), near_##t(y)),                                      \
       both_##t(near_##t(f64(value_##t(near_##t(x))) + value_##t(near_##t(y))), \
                near_##t(2.0 * value_##t(near_##t(y)))))
__global__ void atoms(u32* wrong, u64* memory) {
  for (int i = 0; i < kWords; ++i) {
    for (int j = 0; j < kWords; ++j) {
      const u64 a = words[i], b = words[j];
      ATOMS(u32)
      ATOMS(s32)
      ATOMS(u64)
      ATOMS(s64)
      ATOMS_OF_BITS(b32, "r", u32)
      ATOMS_OF_BITS(b64, "l", u64)
      EXCHANGE(b16, "h", u16)
      const u32 count = u32(a), most = u32(b);
      ATOM(u32, "r", u32, "inc", count, most, count >= most ? 0 : count + 1)
      ATOM(u32, "r", u32, "dec", count, most, count == 0 || count > most ? most : count - 1)
      const f64 x = f64(s64(a)) / 64, y = f64(s64(b)) / 16;
      ATOM(f32, "f", f32, "add", f32(x), f32(y), f32(x) + f32(y))
      ATOM(f64, "d", f64, "add", x, y, x + y)
      ATOM_OF_NARROW(f16)
      ATOM_OF_NARROW(bf16)
    }
  }
}

// Registers of the hardware, addresses, and what has no meaning here.
__global__ void surroundings(u32* wrong, u64* memory) {
  extern __shared__ u32 dynamic[];
  __shared__ u32 shared[8];
#define REGISTER(name, expected) CASE("mov.u32 %0, %%" name ";", "r", u32, expected, "r"(0))
#define POSITION(name, variable)  \
  REGISTER(name ".x", variable.x) \
  REGISTER(name ".y", variable.y) \
  REGISTER(name ".z", variable.z)
  POSITION("tid", threadIdx)
  POSITION("ctaid", blockIdx)
  POSITION("ntid", blockDim)
  POSITION("nctaid", gridDim)
  const u32 index = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  REGISTER("warpid", index / 32)
  REGISTER("nwarpid", (blockDim.x * blockDim.y * blockDim.z + 31) / 32)
  REGISTER("smid", 0)
  REGISTER("nsmid", 1)
  REGISTER("cluster_ctarank", 0)
  REGISTER("cluster_nctarank", 1)
  REGISTER("dynamic_smem_size", 64)
#define TIME(name, wide_register)                                                      \
  {                                                                                    \
    u64 before, after;                                                                 \
    asm volatile("mov.u64 %0, %%" wide_register ";\n mov.u64 %1, %%" wide_register ";" \
                 : "=l"(before), "=l"(after));                                         \
    check<u32>(wrong, name, after >= before && before != 0, 1);                        \
  }
  TIME("clock64", "clock64")
  TIME("globaltimer", "globaltimer")
#define HALF_OF_TIME(name, whole, shift)                                                         \
  {                                                                                              \
    u64 before, after;                                                                           \
    u32 part;                                                                                    \
    asm volatile("mov.u64 %0, %%" whole ";\n mov.u32 %1, %%" name ";\n mov.u64 %2, %%" whole ";" \
                 : "=l"(before), "=r"(part), "=l"(after));                                       \
    check<u32>(wrong, name,                                                                      \
               part - u32(before >> shift) <= u32(after >> shift) - u32(before >> shift), 1);    \
  }
  HALF_OF_TIME("clock", "clock64", 0)
  HALF_OF_TIME("clock_hi", "clock64", 32)
  HALF_OF_TIME("globaltimer_lo", "globaltimer", 0)
  HALF_OF_TIME("globaltimer_hi", "globaltimer", 32)

  const u64 of_memory = reinterpret_cast<u64>(memory), of_shared = reinterpret_cast<u64>(shared);
  u32 local = 1;
  const u64 of_local = reinterpret_cast<u64>(&local);
#define THERE_AND_BACK(space, address)                                                             \
  CASE("{.reg .b64 a; cvta.to." space ".u64 a, %1; cvta." space ".u64 %0, a;}", "l", u64, address, \
       "l"(address))
  THERE_AND_BACK("global", of_memory)
  THERE_AND_BACK("const", of_memory)
  THERE_AND_BACK("param", of_memory)
  THERE_AND_BACK("local", of_local)
  THERE_AND_BACK("shared", of_shared)
  ASKED("isspacep.shared p, %1;", true, "l"(of_shared))
  ASKED("isspacep.shared p, %1;", false, "l"(of_memory))
  ASKED("isspacep.global p, %1;", true, "l"(of_memory))
  ASKED("isspacep.global p, %1;", false, "l"(of_shared))
  ASKED("isspacep.local p, %1;", true, "l"(of_local))
  ASKED("isspacep.local p, %1;", false, "l"(of_memory))
  ASKED("isspacep.const p, %1;", false, "l"(of_shared))
  ASKED("isspacep.param p, %1;", false, "l"(of_shared))

  const u32 at = static_cast<u32>(__cvta_generic_to_shared(shared));
  memory[0] = 0x200000001;
  memory[1] = 0x400000003;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, 4;\n cp.async.commit_group;"
               :
               : "r"(at), "l"(memory)
               : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n cp.async.wait_group 0;"
               :
               : "r"(at + 16), "l"(memory + 1)
               : "memory");
  asm volatile("cp.async.wait_all;" : : : "memory");
  check<u32>(wrong, "cp.async",
             shared[0] == 1 && shared[1] == 0 && shared[3] == 0 && shared[4] == 3 && shared[5] == 4,
             1);
  asm volatile(
      "prefetch.global.L2 [%0]; prefetchu.L1 [%0]; applypriority.global.L2::evict_normal [%0], "
      "128;\n"
      "nanosleep.u32 1; membar.gl; membar.cta; fence.acq_rel.gpu; fence.proxy.async; "
      "fence.proxy.alias;\n"
      "griddepcontrol.wait; griddepcontrol.launch_dependents; brkpt;"
      :
      : "l"(memory)
      : "memory");
  // What is discarded may have any value.
  asm volatile("discard.global.L2 [%0], 128;" : : "l"(memory + 16) : "memory");
  dynamic[0] = 1;
}

#else

__global__ void whole_numbers(u32*) {}
__global__ void fractions(u32*) {}
__global__ void conversions(u32*) {}
__global__ void atoms(u32*, u64*) {}
__global__ void surroundings(u32*, u64*) {}

#endif

int main() {
  u32* const wrong = upload(std::vector<u32>(1));
  u64* const memory = upload(std::vector<u64>(64));
  whole_numbers<<<1, 1>>>(wrong);
  fractions<<<1, 1>>>(wrong);
  conversions<<<1, 1>>>(wrong);
  atoms<<<1, 1>>>(wrong, memory);
  surroundings<<<1, 1, 64>>>(wrong, memory);
  return compare(download(wrong, 1), std::vector<u32>{0});
}
