// The instructions of inline assembly that compute something, by the PTX manual's definitions: a
// row each. A function has the instruction's name without the parts that have no meaning here
// (translate/assembly.cpp); its arguments are the operands. Compiled by the headers of users.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <torchada_matrix.h>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
typedef u8 b8;
typedef u16 b16;
typedef u32 b32;
typedef u64 b64;
typedef float f32;
typedef double f64;

#define PTX(type, name, parameters, ...)                                            \
  extern "C" __device__ __attribute__((always_inline)) type ptx_##name parameters { \
    return __VA_ARGS__;                                                             \
  }
#define EACH TORCHADA_FOR_EACH

namespace {

// A type of the same size without a sign, and one of twice the size.
template <typename T>
struct Kin;
#define KIN(type, without, twice) \
  template <>                     \
  struct Kin<type> {              \
    typedef without bits;         \
    typedef twice wide;           \
  };
KIN(s8, u8, s16)
KIN(u8, u8, u16)
KIN(s16, u16, s32)
KIN(u16, u16, u32)
KIN(s32, u32, s64)
KIN(u32, u32, u64)
KIN(s64, u64, __int128)
KIN(u64, u64, unsigned __int128)
template <typename T>
using Wide = typename Kin<T>::wide;
template <typename T>
using Bits = typename Kin<T>::bits;
template <typename T>
constexpr u32 kBits = 8 * sizeof(T);

template <typename T>
__device__ T high(Wide<T> value) {
  return static_cast<T>(value >> kBits<T>);
}
template <typename To, typename From>
__device__ To clamped(From value) {
  constexpr bool kSigned = static_cast<To>(-1) < 0;
  const Wide<s64> most = static_cast<To>(static_cast<Bits<To>>(-1) >> kSigned);
  const Wide<s64> least = kSigned ? -most - 1 : 0;
  const Wide<s64> x = value;
  return static_cast<To>(x < least ? least : x > most ? most : x);
}

template <typename T>
__device__ T shifted_left(T value, u32 by) {
  return by < kBits<T> ? static_cast<T>(static_cast<Bits<T>>(value) << by) : 0;
}
template <typename T>
__device__ T shifted_right(T value, u32 by) {
  return by < kBits<T> ? static_cast<T>(value >> by) : static_cast<T>(value < 0 ? -1 : 0);
}

// `count` bits from `begin` on, with zeros or copies of the last one before them.
template <typename T>
__device__ T extract_bits(T value, u32 begin, u32 count) {
  begin &= 255;
  count &= 255;
  if (count == 0) return 0;
  const u32 last = begin + count - 1 < kBits<T> - 1 ? begin + count - 1 : kBits<T> - 1;
  const bool sign = static_cast<T>(-1) < 0 && (value >> last & 1) != 0;
  if (begin >= kBits<T>) return static_cast<T>(sign ? -1 : 0);
  const Bits<T> mask = count < kBits<T> ? (static_cast<Bits<T>>(1) << count) - 1 : ~Bits<T>{0};
  Bits<T> made = static_cast<Bits<T>>(value) >> begin & mask;
  const u32 there = kBits<T> - begin < count ? kBits<T> - begin : count;
  if (sign && there < kBits<T>) made |= ~Bits<T>{0} << there;
  return static_cast<T>(made);
}
template <typename T>
__device__ T insert_bits(T from, T into, u32 begin, u32 count) {
  begin &= 255;
  count &= 255;
  if (begin >= kBits<T>) return into;
  const T mask = (count < kBits<T> ? (T{1} << count) - 1 : ~T{0}) << begin;
  return (into & ~mask) | (from << begin & mask);
}
// Of the highest bit that differs from the sign; all ones if there is none.
template <typename T>
__device__ u32 highest_bit(T value) {
  const u64 bits = static_cast<Bits<T>>(value < 0 ? ~value : value);
  return bits == 0 ? ~0U : 63 - __builtin_clzll(bits);
}

// A bit of the result for each combination of bits, as the table says.
__device__ u32 by_table(u32 a, u32 b, u32 c, u32 table) {
  u32 made = 0;
  for (u32 row = 0; row < 8; ++row) {
    const u32 here = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    made |= table >> row & 1 ? here : 0;
  }
  return made;
}

// prmt: four or eight bytes from `from` on, and the modes of the manual's table.
__device__ u32 bytes_of(u32 a, u32 b, u32 mode, u32 from) {
  static constexpr u32 kSelectors[][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  return __byte_perm(a, b, kSelectors[mode][from & 3]);
}

// The lane that a shuffle reads: 0 idx, 1 up, 2 down, 3 bfly. Bit 32: it is in range; otherwise the
// value is the caller's own. `bounds`: the clamp, and from bit 8 on the mask of the segment.
__device__ u64 shuffled(u32 kind, u32 value, u32 by, u32 bounds, u32 members) {
  const u32 lane = torchada::lane();
  const u32 segment = bounds >> 8 & 31;
  const u32 least = lane & segment;
  const u32 most = least | (bounds & 31 & ~segment);
  by &= 31;
  const u32 wanted = kind == 0   ? least | (by & ~segment)
                     : kind == 1 ? lane - by
                     : kind == 2 ? lane + by
                                 : lane ^ by;
  const bool inside =
      kind == 1 ? static_cast<s32>(wanted) >= static_cast<s32>(most) : wanted <= most;
  const u32 got = torchada::read_lane(members, value, inside ? wanted & 31 : lane);
  return static_cast<u64>(inside) << 32 | got;
}

template <typename T>
__device__ T flush(T x) {
  return __builtin_fabsf(x) < 0x1p-126F ? __builtin_copysignf(0, x) : x;
}

// +0 is more than -0; of a number and NaN it is the number.
template <typename T>
__device__ T least(T a, T b) {
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a != a || a > b ? b : a;
}

template <typename T>
__device__ T exchange(T* at, T value) {
  torchada_spin_here();
  T old;
  __atomic_exchange(at, &value, &old, __ATOMIC_SEQ_CST);
  return old;
}
template <typename T>
__device__ T exchange_if(T* at, T compare, T value) {
  torchada_spin_here();
  __atomic_compare_exchange(at, &compare, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return compare;
}
template <typename T, typename Change>
__device__ T change(T* at, Change change_one) {
  torchada_spin_here();
  return torchada::change(at, change_one);
}

// Half and bfloat16, alone and as two in a word.
__device__ __half from_f16(u16 bits) { return __ushort_as_half(bits); }
__device__ u16 to_f16(float x) { return __half_as_ushort(__half(x)); }
__device__ __nv_bfloat16 from_bf16(u16 bits) { return __ushort_as_bfloat16(bits); }
__device__ u16 to_bf16(float x) { return __bfloat16_as_ushort(__nv_bfloat16(x)); }
// Numbers of 8 bits, rounded to nearest even; what is too large is the largest, and NaN 0x7f.
template <int kMantissa, int kLeastExponent, u32 kLargest>
__device__ u32 to_8_bits(float x) {
  if (x != x) return 0x7f;
  const int own = x == 0 ? kLeastExponent : ilogbf(x);
  const int exponent = own < kLeastExponent ? kLeastExponent : own > 64 ? 64 : own;
  const u32 digits = static_cast<u32>(rintf(ldexpf(fabsf(x), kMantissa - exponent)));
  const u64 made = (static_cast<u64>(exponent - kLeastExponent) << kMantissa) + digits;
  const u32 sign = __float_as_uint(x) >> 24 & 0x80;
  return sign | (fabsf(x) > 65536 || made > kLargest ? kLargest : static_cast<u32>(made));
}
__device__ u32 to_e4m3(float x) { return to_8_bits<3, -6, 0x7e>(x); }
__device__ u32 to_e5m2(float x) { return to_8_bits<2, -14, 0x7b>(x); }
__device__ u16 from_e5m2(u32 bits) { return static_cast<u16>(bits << 8); }
__device__ u16 from_e4m3(u32 bits) {
  if ((bits & 0x7f) == 0x7f) return 0x7fff;
  const int exponent = static_cast<int>(bits >> 3 & 15);
  const float digits = static_cast<float>((bits & 7) + (exponent == 0 ? 0 : 8));
  const float x = ldexpf(digits, (exponent == 0 ? 1 : exponent) - 10);
  return __half_as_ushort(__half((bits & 0x80) != 0 ? -x : x));
}
__device__ float above_zero(float x) { return x < 0 ? 0 : x; }

template <typename Operation>
__device__ u32 both(u32 a, u32 b, u32 c, Operation operation) {
  const u32 low = operation(static_cast<u16>(a), static_cast<u16>(b), static_cast<u16>(c));
  const u32 up =
      operation(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16), static_cast<u16>(c >> 16));
  return (low & 0xffff) | up << 16;
}

}  // namespace

// For translate/assembly.cpp itself.
extern "C" __device__ __attribute__((always_inline)) void* ptx_shared_address(u32 offset) {
  return __cvta_shared_to_generic(offset);
}
PTX(f32, flushed, (f32 a), flush(a))
PTX(f32, saturated, (f32 a), a > 0 ? (a < 1 ? a : 1.F) : 0.F)
PTX(void, exit, (), torchada_exit())

// Registers of the hardware.
#define SPECIAL(name, value) PTX(u64, reg_##name, (), value)
#define POSITION(name, variable) \
  SPECIAL(name##_x, variable.x)  \
  SPECIAL(name##_y, variable.y)  \
  SPECIAL(name##_z, variable.z)
POSITION(tid, threadIdx)
POSITION(ctaid, blockIdx)
POSITION(ntid, blockDim)
POSITION(nctaid, gridDim)
SPECIAL(laneid, torchada::lane())
SPECIAL(warpid, torchada_thread_index() / 32)
SPECIAL(nwarpid, (torchada_thread_count() + 31) / 32)
SPECIAL(lanemask_eq, 1U << torchada::lane())
SPECIAL(lanemask_lt, (1U << torchada::lane()) - 1)
SPECIAL(lanemask_le, (2U << torchada::lane()) - 1)
SPECIAL(lanemask_gt, ~((2U << torchada::lane()) - 1))
SPECIAL(lanemask_ge, ~((1U << torchada::lane()) - 1))
SPECIAL(clock, torchada_clock())
SPECIAL(clock_hi, static_cast<u64>(torchada_clock()) >> 32)
SPECIAL(clock64, torchada_clock())
SPECIAL(globaltimer, torchada_clock())
SPECIAL(globaltimer_lo, static_cast<u32>(torchada_clock()))
SPECIAL(globaltimer_hi, static_cast<u64>(torchada_clock()) >> 32)
SPECIAL(dynamic_smem_size, torchada_dynamic_size())
// One multiprocessor, for all that a program sees of it.
SPECIAL(smid, 0)
SPECIAL(nsmid, 1)
// A block is a cluster of its own.
SPECIAL(cluster_ctarank, 0)
SPECIAL(cluster_nctarank, 1)

// Whole numbers.
#define INTEGER(t)                                                                                \
  PTX(t, add_##t, (t a, t b), static_cast<t>(Bits<t>(a) + Bits<t>(b)))                            \
  PTX(t, sub_##t, (t a, t b), static_cast<t>(Bits<t>(a) - Bits<t>(b)))                            \
  PTX(t, mul_lo_##t, (t a, t b), static_cast<t>(1ULL * a * b))                                    \
  PTX(t, mul_hi_##t, (t a, t b), high<t>(Wide<t>(a) * b))                                         \
  PTX(t, mad_lo_##t, (t a, t b, t c), static_cast<t>(1ULL * a * b + c))                           \
  PTX(t, mad_hi_##t, (t a, t b, t c),                                                             \
      static_cast<t>(Bits<t>(high<t>(Wide<t>(a) * b)) + Bits<t>(c)))                              \
  PTX(t, div_##t, (t a, t b), static_cast<t>(a / b))                                              \
  PTX(t, rem_##t, (t a, t b), static_cast<t>(a % b))                                              \
  PTX(t, min_##t, (t a, t b), a < b ? a : b)                                                      \
  PTX(t, max_##t, (t a, t b), a > b ? a : b)                                                      \
  PTX(t, sad_##t, (t a, t b, t c), static_cast<t>(c + (a > b ? Bits<t>(a) - b : Bits<t>(b) - a))) \
  PTX(t, shr_##t, (t a, u32 by), shifted_right(a, by))                                            \
  PTX(t, slct_##t##_s32, (t a, t b, s32 c), c >= 0 ? a : b)                                       \
  PTX(t, slct_##t##_f32, (t a, t b, f32 c), c >= 0 ? a : b)                                       \
  PTX(bool, setp_eq_##t, (t a, t b), a == b)                                                      \
  PTX(bool, setp_ne_##t, (t a, t b), a != b)                                                      \
  PTX(bool, setp_lt_##t, (t a, t b), a < b)                                                       \
  PTX(bool, setp_le_##t, (t a, t b), a <= b)                                                      \
  PTX(bool, setp_gt_##t, (t a, t b), a > b)                                                       \
  PTX(bool, setp_ge_##t, (t a, t b), a >= b)                                                      \
  PTX(t, selp_##t, (t a, t b, bool c), c ? a : b)
EACH(INTEGER, u16, u32, u64, s16, s32, s64)
#define SIGNED(t)                                     \
  PTX(t, neg_##t, (t a), static_cast<t>(-Bits<t>(a))) \
  PTX(t, abs_##t, (t a), static_cast<t>(a < 0 ? -Bits<t>(a) : a))
EACH(SIGNED, s16, s32, s64)
#define UNSIGNED(t)                          \
  PTX(bool, setp_lo_##t, (t a, t b), a < b)  \
  PTX(bool, setp_ls_##t, (t a, t b), a <= b) \
  PTX(bool, setp_hi_##t, (t a, t b), a > b)  \
  PTX(bool, setp_hs_##t, (t a, t b), a >= b)
EACH(UNSIGNED, u16, u32, u64)
#define WIDE(t)                                          \
  PTX(Wide<t>, mul_wide_##t, (t a, t b), Wide<t>(a) * b) \
  PTX(Wide<t>, mad_wide_##t, (t a, t b, Wide<t> c),      \
      static_cast<Wide<t>>(Bits<Wide<t>>(Wide<t>(a) * b) + c))
EACH(WIDE, u16, s16, u32, s32)
#define BITS(t)                                        \
  PTX(t, and_##t, (t a, t b), a& b)                    \
  PTX(t, or_##t, (t a, t b), a | b)                    \
  PTX(t, xor_##t, (t a, t b), a ^ b)                   \
  PTX(t, not_##t, (t a), static_cast<t>(~a))           \
  PTX(t, cnot_##t, (t a), a == 0)                      \
  PTX(t, shl_##t, (t a, u32 by), shifted_left(a, by))  \
  PTX(t, shr_##t, (t a, u32 by), shifted_right(a, by)) \
  PTX(t, selp_##t, (t a, t b, bool c), c ? a : b)      \
  PTX(bool, setp_eq_##t, (t a, t b), a == b)           \
  PTX(bool, setp_ne_##t, (t a, t b), a != b)
EACH(BITS, b16, b32, b64)
PTX(bool, and_pred, (bool a, bool b), a&& b)
PTX(bool, or_pred, (bool a, bool b), a || b)
PTX(bool, xor_pred, (bool a, bool b), a != b)
PTX(bool, not_pred, (bool a), !a)
PTX(s32, add_sat_s32, (s32 a, s32 b), clamped<s32>(s64{a} + b))
PTX(s32, sub_sat_s32, (s32 a, s32 b), clamped<s32>(s64{a} - b))
PTX(s32, mad_hi_sat_s32, (s32 a, s32 b, s32 c), clamped<s32>((s64{a} * b >> 32) + c))
PTX(s32, mul24_lo_s32, (s32 a, s32 b), __mul24(a, b))
PTX(u32, mul24_lo_u32, (u32 a, u32 b), __umul24(a, b))
PTX(s32, mul24_hi_s32, (s32 a, s32 b), static_cast<s32>(s64{a << 8 >> 8} * (b << 8 >> 8) >> 16))
PTX(u32, mul24_hi_u32, (u32 a, u32 b), static_cast<u32>(u64{a & 0xffffff} * (b & 0xffffff) >> 16))
PTX(s32, mad24_lo_s32, (s32 a, s32 b, s32 c), static_cast<s32>(1U * __mul24(a, b) + c))
PTX(u32, mad24_lo_u32, (u32 a, u32 b, u32 c), __umul24(a, b) + c)
PTX(u32, popc_b32, (u32 a), static_cast<u32>(__popc(a)))
PTX(u32, popc_b64, (u64 a), static_cast<u32>(__popcll(a)))
PTX(u32, clz_b32, (u32 a), static_cast<u32>(__clz(static_cast<s32>(a))))
PTX(u32, clz_b64, (u64 a), static_cast<u32>(__clzll(static_cast<s64>(a))))
PTX(u32, brev_b32, (u32 a), __brev(a))
PTX(u64, brev_b64, (u64 a), __brevll(a))
#define FIELDS(t)                                                             \
  PTX(t, bfe_##t, (t a, u32 begin, u32 count), extract_bits(a, begin, count)) \
  PTX(u32, bfind_##t, (t a), highest_bit(a))                                  \
  PTX(u32, bfind_shiftamt_##t, (t a), highest_bit(a) == ~0U ? ~0U : kBits<t> - 1 - highest_bit(a))
EACH(FIELDS, u32, s32, u64, s64)
PTX(u32, bfi_b32, (u32 a, u32 b, u32 begin, u32 count), insert_bits(a, b, begin, count))
PTX(u64, bfi_b64, (u64 a, u64 b, u32 begin, u32 count), insert_bits(a, b, begin, count))
PTX(u32, bmsk_clamp_b32, (u32 a, u32 b), insert_bits(~0U, 0U, a < 32 ? a : 32, b < 32 ? b : 32))
PTX(u32, bmsk_wrap_b32, (u32 a, u32 b), insert_bits(~0U, 0U, a & 31, b & 31))
PTX(u32, szext_clamp_u32, (u32 a, u32 b), b < 32 ? extract_bits(a, 0, b) : a)
PTX(s32, szext_clamp_s32, (s32 a, u32 b), b < 32 ? extract_bits(a, 0, b) : a)
PTX(u32, szext_wrap_u32, (u32 a, u32 b), extract_bits(a, 0, b & 31))
PTX(s32, szext_wrap_s32, (s32 a, u32 b), extract_bits(a, 0, b & 31))
PTX(u32, fns_b32, (u32 a, u32 base, s32 offset), __fns(a, base, offset))
PTX(u32, lop3_b32, (u32 a, u32 b, u32 c, u32 table), by_table(a, b, c, table))
PTX(u32, shf_l_wrap_b32, (u32 a, u32 b, u32 c), __funnelshift_l(a, b, c))
PTX(u32, shf_r_wrap_b32, (u32 a, u32 b, u32 c), __funnelshift_r(a, b, c))
PTX(u32, shf_l_clamp_b32, (u32 a, u32 b, u32 c), __funnelshift_lc(a, b, c))
PTX(u32, shf_r_clamp_b32, (u32 a, u32 b, u32 c), __funnelshift_rc(a, b, c))
PTX(u32, prmt_b32, (u32 a, u32 b, u32 c), __byte_perm(a, b, c))
#define PERMUTE(name, mode) \
  PTX(u32, prmt_b32_##name, (u32 a, u32 b, u32 c), bytes_of(a, b, mode, c))
PERMUTE(f4e, 0)
PERMUTE(b4e, 1)
PERMUTE(rc8, 2)
PERMUTE(ecl, 3)
PERMUTE(ecr, 4)
PERMUTE(rc16, 5)
#define DOT(name, A, B)                                                                   \
  PTX(s32, dp4a_##name, (u32 a, u32 b, s32 c), torchada::dot<A##8, B##8>(a, b, c, 4))     \
  PTX(s32, dp2a_lo_##name, (u32 a, u32 b, s32 c), torchada::dot<A##16, B##8>(a, b, c, 2)) \
  PTX(s32, dp2a_hi_##name, (u32 a, u32 b, s32 c), torchada::dot<A##16, B##8>(a, b >> 16, c, 2))
DOT(s32_s32, s, s)
DOT(s32_u32, s, u)
DOT(u32_s32, u, s)
DOT(u32_u32, u, u)
PTX(u32, vshr_u32_u32_u32_clamp_add, (u32 a, u32 b, u32 c), shifted_right(a, b) + c)
PTX(u32, vshl_u32_u32_u32_clamp_add, (u32 a, u32 b, u32 c), shifted_left(a, b) + c)
PTX(u32, vadd_u32_u32_u32_add, (u32 a, u32 b, u32 c), a + b + c)
PTX(u32, vabsdiff4_u32_u32_u32_add, (u32 a, u32 b, u32 c), __vsadu4(a, b) + c)

// Numbers with a fraction.
#define FRACTION(t, f, prefix, fma_name)                                                  \
  PTX(t, add_##t, (t a, t b), __##prefix##add_rn(a, b))                                   \
  PTX(t, sub_##t, (t a, t b), __##prefix##sub_rn(a, b))                                   \
  PTX(t, mul_##t, (t a, t b), __##prefix##mul_rn(a, b))                                   \
  PTX(t, div_##t, (t a, t b), __##prefix##div_rn(a, b))                                   \
  PTX(t, fma_##t, (t a, t b, t c), __##fma_name##_rn(a, b, c))                            \
  PTX(t, mad_##t, (t a, t b, t c), __##fma_name##_rn(a, b, c))                            \
  PTX(t, rcp_##t, (t a), __##prefix##rcp_rn(a))                                           \
  PTX(t, sqrt_##t, (t a), __##prefix##sqrt_rn(a))                                         \
  DIRECTED(t, prefix, fma_name, rz, rz)                                                   \
  DIRECTED(t, prefix, fma_name, rm, rd)                                                   \
  DIRECTED(t, prefix, fma_name, rp, ru)                                                   \
  PTX(t, rsqrt_##t, (t a), rsqrt##f(a))                                                   \
  PTX(t, min_##t, (t a, t b), least(a, b))                                                \
  PTX(t, max_##t, (t a, t b), -least(-a, -b))                                             \
  PTX(t, min_NaN_##t, (t a, t b), a != a || b != b ? __builtin_nanf("") : least(a, b))    \
  PTX(t, max_NaN_##t, (t a, t b), a != a || b != b ? __builtin_nanf("") : -least(-a, -b)) \
  PTX(t, neg_##t, (t a), -a)                                                              \
  PTX(t, abs_##t, (t a), fabs##f(a))                                                      \
  PTX(t, copysign_##t, (t a, t b), copysign##f(b, a))                                     \
  PTX(t, selp_##t, (t a, t b, bool c), c ? a : b)                                         \
  PTX(t, slct_##t##_s32, (t a, t b, s32 c), c >= 0 ? a : b)                               \
  PTX(bool, testp_finite_##t, (t a), __builtin_isfinite(a))                               \
  PTX(bool, testp_infinite_##t, (t a), __builtin_isinf(a))                                \
  PTX(bool, testp_number_##t, (t a), a == a)                                              \
  PTX(bool, testp_notanumber_##t, (t a), a != a)                                          \
  COMPARISONS(t)
#define DIRECTED(t, prefix, fma_name, direction, suffix)                           \
  PTX(t, add_##direction##_##t, (t a, t b), __##prefix##add_##suffix(a, b))        \
  PTX(t, sub_##direction##_##t, (t a, t b), __##prefix##sub_##suffix(a, b))        \
  PTX(t, mul_##direction##_##t, (t a, t b), __##prefix##mul_##suffix(a, b))        \
  PTX(t, div_##direction##_##t, (t a, t b), __##prefix##div_##suffix(a, b))        \
  PTX(t, fma_##direction##_##t, (t a, t b, t c), __##fma_name##_##suffix(a, b, c)) \
  PTX(t, rcp_##direction##_##t, (t a), __##prefix##rcp_##suffix(a))                \
  PTX(t, sqrt_##direction##_##t, (t a), __##prefix##sqrt_##suffix(a))
#define COMPARISON(t, name, op)                                          \
  PTX(bool, setp_##name##_##t, (t a, t b), a == a && b == b && (a op b)) \
  PTX(bool, setp_##name##u_##t, (t a, t b), a != a || b != b || (a op b))
#define COMPARISONS(t)                                  \
  COMPARISON(t, eq, ==)                                 \
  COMPARISON(t, ne, !=)                                 \
  COMPARISON(t, lt, <)                                  \
  COMPARISON(t, le, <=)                                 \
  COMPARISON(t, gt, >)                                  \
  COMPARISON(t, ge, >=)                                 \
  PTX(bool, setp_num_##t, (t a, t b), a == a && b == b) \
  PTX(bool, setp_nan_##t, (t a, t b), a != a || b != b)
FRACTION(f32, f, f, fmaf)
FRACTION(f64, , d, fma)
PTX(f32, ex2_f32, (f32 a), exp2f(a))
PTX(f32, lg2_f32, (f32 a), log2f(a))
PTX(f32, sin_f32, (f32 a), sinf(a))
PTX(f32, cos_f32, (f32 a), cosf(a))
PTX(f32, tanh_f32, (f32 a), tanhf(a))

// The narrow ones: each operation is of floats, rounded once.
#define PAIRED(t, name, result) \
  PTX(u32, name##_##t##x2, (u32 x, u32 y), both(x, y, 0, [](u16 a, u16 b, u16) { return result; }))
#define TWO(t, name, result)                   \
  PTX(u16, name##_##t, (u16 a, u16 b), result) \
  PAIRED(t, name, result)
#define ONE(t, name, result)            \
  PTX(u16, name##_##t, (u16 a), result) \
  PTX(u32, name##_##t##x2, (u32 x), both(x, 0, 0, [](u16 a, u16, u16) { return result; }))
#define THREE(t, name, result)                        \
  PTX(u16, name##_##t, (u16 a, u16 b, u16 c), result) \
  PTX(u32, name##_##t##x2, (u32 x, u32 y, u32 z),     \
      both(x, y, z, [](u16 a, u16 b, u16 c) { return result; }))
#define NARROWS(t, bits)                                                                       \
  TWO(t, add, bits(__hadd(from_##t(a), from_##t(b))))                                          \
  TWO(t, sub, bits(__hsub(from_##t(a), from_##t(b))))                                          \
  TWO(t, mul, bits(__hmul(from_##t(a), from_##t(b))))                                          \
  TWO(t, min, to_##t(least<float>(from_##t(a), from_##t(b))))                                  \
  TWO(t, max, to_##t(-least<float>(-float(from_##t(a)), -float(from_##t(b)))))                 \
  TWO(t, min_NaN, to_##t(ptx_min_NaN_f32(from_##t(a), from_##t(b))))                           \
  TWO(t, max_NaN, to_##t(ptx_max_NaN_f32(from_##t(a), from_##t(b))))                           \
  TWO(t, add_sat, bits(__hadd_sat(from_##t(a), from_##t(b))))                                  \
  TWO(t, sub_sat, bits(__hsub_sat(from_##t(a), from_##t(b))))                                  \
  TWO(t, mul_sat, bits(__hmul_sat(from_##t(a), from_##t(b))))                                  \
  THREE(t, fma, bits(__hfma(from_##t(a), from_##t(b), from_##t(c))))                           \
  THREE(t, fma_sat, bits(__hfma_sat(from_##t(a), from_##t(b), from_##t(c))))                   \
  THREE(t, fma_relu, bits(__hfma_relu(from_##t(a), from_##t(b), from_##t(c))))                 \
  ONE(t, neg, static_cast<u16>(a ^ 0x8000))                                                    \
  ONE(t, abs, static_cast<u16>(a & 0x7fff))                                                    \
  ONE(t, ex2, to_##t(exp2f(from_##t(a))))                                                      \
  ONE(t, tanh, to_##t(tanhf(from_##t(a))))                                                     \
  NARROW_COMPARISON(t, eq, ==)                                                                 \
  NARROW_COMPARISON(t, ne, !=)                                                                 \
  NARROW_COMPARISON(t, lt, <)                                                                  \
  NARROW_COMPARISON(t, le, <=)                                                                 \
  NARROW_COMPARISON(t, gt, >)                                                                  \
  NARROW_COMPARISON(t, ge, >=)                                                                 \
  PTX(u16, atom_add_##t, (u16 * at, u16 value),                                                \
      change(at, [value](u16 old) { return bits(__hadd(from_##t(old), from_##t(value))); }))   \
  PTX(u32, atom_add_##t##x2, (u32 * at, u32 value), change(at, [value](u32 old) {              \
        return both(old, value, 0,                                                             \
                    [](u16 a, u16 b, u16) { return bits(__hadd(from_##t(a), from_##t(b))); }); \
      }))
#define NARROW_COMPARISON(t, name, op)                                                          \
  PTX(bool, setp_##name##_##t, (u16 a, u16 b), ptx_setp_##name##_f32(from_##t(a), from_##t(b))) \
  PTX(bool, setp_##name##u_##t, (u16 a, u16 b), ptx_setp_##name##u_f32(from_##t(a), from_##t(b)))
NARROWS(f16, __half_as_ushort)
NARROWS(bf16, __bfloat16_as_ushort)

// Conversions.
#define BETWEEN(from)   \
  BETWEEN_TO(u8, from)  \
  BETWEEN_TO(u16, from) \
  BETWEEN_TO(u32, from) \
  BETWEEN_TO(u64, from) \
  BETWEEN_TO(s8, from) BETWEEN_TO(s16, from) BETWEEN_TO(s32, from) BETWEEN_TO(s64, from)
#define BETWEEN_TO(to, from)                               \
  PTX(to, cvt_##to##_##from, (from a), static_cast<to>(a)) \
  PTX(to, cvt_sat_##to##_##from, (from a), clamped<to>(a))
EACH(BETWEEN, u8, u16, u32, u64, s8, s16, s32, s64)
#define TO_INTEGER(to)                              \
  TO_INTEGER_FROM(to, f32, f32, a)                  \
  TO_INTEGER_FROM(to, f64, f64, a)                  \
  TO_INTEGER_FROM(to, f16, u16, float(from_f16(a))) \
  TO_INTEGER_FROM(to, bf16, u16, float(from_bf16(a)))
#define TO_INTEGER_FROM(to, from, type, value)                                        \
  PTX(to, cvt_rni_##to##_##from, (type a), torchada::to_integer<to>(rint(value)))     \
  PTX(to, cvt_rzi_##to##_##from, (type a), torchada::to_integer<to>(trunc(value)))    \
  PTX(to, cvt_rmi_##to##_##from, (type a), torchada::to_integer<to>(floor(value)))    \
  PTX(to, cvt_rpi_##to##_##from, (type a), torchada::to_integer<to>(ceil(value)))     \
  PTX(to, cvt_rni_sat_##to##_##from, (type a), torchada::to_integer<to>(rint(value))) \
  PTX(to, cvt_rzi_sat_##to##_##from, (type a), torchada::to_integer<to>(trunc(value)))
EACH(TO_INTEGER, u8, u16, u32, u64, s8, s16, s32, s64)
#define FROM_INTEGER(from)                                                                  \
  PTX(f32, cvt_f32_##from, (from a), static_cast<f32>(a))                                   \
  PTX(f64, cvt_f64_##from, (from a), static_cast<f64>(a))                                   \
  PTX(u16, cvt_f16_##from, (from a), __half_as_ushort(NARROW_INTEGER(from, half)))          \
  PTX(u16, cvt_bf16_##from, (from a), __bfloat16_as_ushort(NARROW_INTEGER(from, bfloat16))) \
  FROM_INTEGER_BY(from, rz, 0xc00)                                                          \
  FROM_INTEGER_BY(from, rm, 0x400)                                                          \
  FROM_INTEGER_BY(from, rp, 0x800)
#define NARROW_INTEGER(from, name) from(-1) < 0 ? __ll2##name##_rn(a) : __ull2##name##_rn(a)
#define FROM_INTEGER_BY(from, name, direction)                                          \
  PTX(f32, cvt_##name##_f32_##from, (from a),                                           \
      torchada::rounded<f32>(direction, a, [](from x) { return static_cast<f32>(x); })) \
  PTX(f64, cvt_##name##_f64_##from, (from a),                                           \
      torchada::rounded<f64>(direction, a, [](from x) { return static_cast<f64>(x); }))
EACH(FROM_INTEGER, u8, u16, u32, s8, s16, s32, s64, u64)
#define TO_WHOLE(t, f)                          \
  PTX(t, cvt_rni_##t##_##t, (t a), rint##f(a))  \
  PTX(t, cvt_rzi_##t##_##t, (t a), trunc##f(a)) \
  PTX(t, cvt_rmi_##t##_##t, (t a), floor##f(a)) \
  PTX(t, cvt_rpi_##t##_##t, (t a), ceil##f(a))  \
  PTX(t, cvt_##t##_##t, (t a), a)
TO_WHOLE(f32, f)
TO_WHOLE(f64, )
PTX(f64, cvt_f64_f32, (f32 a), a)
PTX(f32, cvt_f32_f64, (f64 a), static_cast<f32>(a))
PTX(f32, cvt_rz_f32_f64, (f64 a), __double2float_rz(a))
PTX(f32, cvt_rm_f32_f64, (f64 a), __double2float_rd(a))
PTX(f32, cvt_rp_f32_f64, (f64 a), __double2float_ru(a))
PTX(f32, cvt_f32_f16, (u16 a), from_f16(a))
PTX(f64, cvt_f64_f16, (u16 a), from_f16(a))
PTX(f32, cvt_f32_bf16, (u16 a), from_bf16(a))
PTX(f64, cvt_f64_bf16, (u16 a), from_bf16(a))
#define NARROWED(t, name)                                                                  \
  PTX(u16, cvt_##t##_f32, (f32 a), to_##t(a))                                              \
  PTX(u16, cvt_##t##_f64, (f64 a), name##_bits(__double2##name(a)))                        \
  PTX(u16, cvt_rz_##t##_f32, (f32 a), name##_bits(__float2##name##_rz(a)))                 \
  PTX(u16, cvt_relu_##t##_f32, (f32 a), to_##t(above_zero(a)))                             \
  PTX(u32, cvt_##t##x2_f32, (f32 a, f32 b), static_cast<u32>(to_##t(a)) << 16 | to_##t(b)) \
  PTX(u32, cvt_relu_##t##x2_f32, (f32 a, f32 b),                                           \
      static_cast<u32>(to_##t(above_zero(a))) << 16 | to_##t(above_zero(b)))               \
  PTX(u32, cvt_rz_##t##x2_f32, (f32 a, f32 b),                                             \
      static_cast<u32>(name##_bits(__float2##name##_rz(a))) << 16 |                        \
          name##_bits(__float2##name##_rz(b)))
#define half_bits __half_as_ushort
#define bfloat16_bits __bfloat16_as_ushort
NARROWED(f16, half)
NARROWED(bf16, bfloat16)

PTX(u32, cvt_rna_tf32_f32, (f32 a), torchada::tf32_bits(a))
#define EIGHT_BITS(t)                                                    \
  PTX(u16, cvt_satfinite_##t##x2_f32, (f32 a, f32 b),                    \
      static_cast<u16>(to_##t(a) << 8 | to_##t(b)))                      \
  PTX(u16, cvt_satfinite_relu_##t##x2_f32, (f32 a, f32 b),               \
      ptx_cvt_satfinite_##t##x2_f32(above_zero(a), above_zero(b)))       \
  PTX(u16, cvt_satfinite_##t##x2_f16x2, (u32 a),                         \
      ptx_cvt_satfinite_##t##x2_f32(from_f16(static_cast<u16>(a >> 16)), \
                                    from_f16(static_cast<u16>(a))))      \
  PTX(u32, cvt_f16x2_##t##x2, (u16 a),                                   \
      from_##t(a & 255U) | static_cast<u32>(from_##t(a >> 8U)) << 16)
EIGHT_BITS(e4m3)
EIGHT_BITS(e5m2)

// Threads of a warp.
#define SHUFFLE(name, kind)                                                 \
  PTX(u64, shfl_##name##_b32_2, (u32 a, u32 by, u32 bounds, u32 members),   \
      shuffled(kind, a, by, bounds, members))                               \
  PTX(u32, shfl_##name##_b32_of5, (u32 a, u32 by, u32 bounds, u32 members), \
      static_cast<u32>(shuffled(kind, a, by, bounds, members)))             \
  PTX(u32, shfl_##name##_b32_of4, (u32 a, u32 by, u32 bounds),              \
      static_cast<u32>(shuffled(kind, a, by, bounds, 0)))
SHUFFLE(idx, 0)
SHUFFLE(up, 1)
SHUFFLE(down, 2)
SHUFFLE(bfly, 3)
PTX(u32, vote_ballot_b32_of3, (bool a, u32 members), __ballot_sync(members, a))
PTX(u32, vote_ballot_b32_of2, (bool a), __ballot_sync(0, a))
PTX(bool, vote_any_pred, (bool a, u32 members), __any_sync(members, a) != 0)
PTX(bool, vote_all_pred, (bool a, u32 members), __all_sync(members, a) != 0)
// vote.uni, a word that means nothing elsewhere.
PTX(bool, vote_pred, (bool a, u32 members), __uni_sync(members, a) != 0)
PTX(u32, match_any_b32, (u32 a, u32 members), __match_any_sync(members, a))
PTX(u32, match_any_b64, (u64 a, u32 members), __match_any_sync(members, a))
#define MATCH_ALL(t)                                                  \
  extern "C" __device__ u64 ptx_match_all_##t##_2(t a, u32 members) { \
    int all = 0;                                                      \
    const u32 lanes = __match_all_sync(members, a, &all);             \
    return static_cast<u64>(all != 0) << 32 | lanes;                  \
  }                                                                   \
  PTX(u32, match_all_##t, (t a, u32 members), static_cast<u32>(ptx_match_all_##t##_2(a, members)))
MATCH_ALL(b32)
MATCH_ALL(b64)
#define REDUX(op, t) PTX(t, redux_##op##_##t, (t a, u32 members), __reduce_##op##_sync(members, a))
REDUX(add, u32)
REDUX(add, s32)
REDUX(min, u32)
REDUX(min, s32)
REDUX(max, u32)
REDUX(max, s32)
REDUX(and, b32)
REDUX(or, b32)
REDUX(xor, b32)
PTX(u32, activemask_b32, (u64 place), torchada::meet(torchada::kActive, 0, place))
extern "C" __device__ u64 ptx_elect_2(u32 members) {
  const u32 leader = static_cast<u32>(__builtin_ffs(static_cast<s32>(members)) - 1);
  __syncwarp(members);
  return static_cast<u64>(leader == torchada::lane()) << 32 | leader;
}
PTX(void, bar_warp, (u32 members), __syncwarp(members))

// Threads of a block. There is one barrier for all of them.
PTX(void, bar_of1, (u32), __syncthreads())
PTX(u32, bar_red_popc_u32, (u32, bool a), static_cast<u32>(__syncthreads_count(a)))
PTX(bool, bar_red_and_pred, (u32, bool a), __syncthreads_and(a) != 0)
PTX(bool, bar_red_or_pred, (u32, bool a), __syncthreads_or(a) != 0)
PTX(void, trap, (), __trap())
PTX(void, brkpt, (), __brkpt())
PTX(void, nanosleep_u32, (u32 time), __nanosleep(time))
PTX(void, membar_gl, (), __threadfence())
PTX(void, membar, (), __threadfence())
PTX(void, fence, (), __threadfence())
PTX(void, fence_proxy_async, (), __threadfence())
PTX(void, fence_proxy_alias, (), __threadfence())
PTX(void, griddepcontrol_wait, (), void())
PTX(void, griddepcontrol_launch_dependents, (), void())
PTX(void, prefetch, (const void*), void())
PTX(void, prefetchu, (const void*), void())
PTX(void, discard, (const void*, u32), void())
PTX(void, applypriority, (const void*, u32), void())

// Addresses: those of shared memory are offsets in it, all others are of one space.
#define GENERIC(space)                        \
  PTX(u64, cvta_to_##space##_u64, (u64 a), a) \
  PTX(u64, cvta_##space##_u64, (u64 a), a)
EACH(GENERIC, global, const, local, param)
PTX(u64, cvta_to_shared_u64, (u64 a), __cvta_generic_to_shared(reinterpret_cast<void*>(a)))
PTX(u64, cvta_shared_u64, (u64 a), reinterpret_cast<u64>(__cvta_shared_to_generic(a)))
PTX(bool, isspacep_shared, (u64 a), __isShared(reinterpret_cast<void*>(a)) != 0)
PTX(bool, isspacep_global, (u64 a), __isGlobal(reinterpret_cast<void*>(a)) != 0)
PTX(bool, isspacep_local, (u64 a), __isLocal(reinterpret_cast<void*>(a)) != 0)
PTX(bool, isspacep_const, (u64), false)
PTX(bool, isspacep_param, (u64), false)

// Copies into shared memory are done at once.
PTX(void, cp_async_of3, (void* to, const void* from, u32 size),
    __pipeline_memcpy_async(to, from, size))
PTX(void, cp_async_of4, (void* to, const void* from, u32 size, u32 used),
    __pipeline_memcpy_async(to, from, size, size - used))
PTX(void, cp_async_commit_group, (), void())
PTX(void, cp_async_wait_group, (u32), void())
PTX(void, cp_async_wait_all, (), void())

// Memory that threads share.
#define ATOMIC(t, name, result) \
  PTX(t, atom_##name##_##t, (t * at, t value), change(at, [value](t old) -> t { return result; }))
#define ATOMICS(t)                                                             \
  PTX(t, atom_add_##t, (t * at, t value),                                      \
      (torchada_spin_here(), __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST))) \
  ATOMIC(t, min, value < old ? value : old)                                    \
  ATOMIC(t, max, value > old ? value : old)
EACH(ATOMICS, u32, s32, u64, s64)
#define ATOMIC_BITS(t)                                                         \
  PTX(t, atom_and_##t, (t * at, t value),                                      \
      (torchada_spin_here(), __atomic_fetch_and(at, value, __ATOMIC_SEQ_CST))) \
  PTX(t, atom_or_##t, (t * at, t value),                                       \
      (torchada_spin_here(), __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST)))  \
  PTX(t, atom_xor_##t, (t * at, t value),                                      \
      (torchada_spin_here(), __atomic_fetch_xor(at, value, __ATOMIC_SEQ_CST))) \
  PTX(t, atom_exch_##t, (t * at, t value), exchange(at, value))                \
  PTX(t, atom_cas_##t, (t * at, t compare, t value), exchange_if(at, compare, value))
EACH(ATOMIC_BITS, b32, b64)
PTX(u16, atom_cas_b16, (u16 * at, u16 compare, u16 value), exchange_if(at, compare, value))
ATOMIC(f32, add, old + value)
ATOMIC(f64, add, old + value)
ATOMIC(u32, inc, old >= value ? 0 : old + 1)
ATOMIC(u32, dec, old == 0 || old > value ? value : old - 1)

// Barriers in shared memory.
typedef torchada::Barrier* At;
#define BARRIER(type, name, parameters, ...) \
  PTX(type, mbarrier_##name, (At at EACH_MORE parameters), __VA_ARGS__)
#define EACH_MORE(...) __VA_OPT__(, ) __VA_ARGS__
BARRIER(void, init_b64, (u32 count), void(*at = torchada::new_barrier(count)))
BARRIER(void, inval_b64, (), void(at))
BARRIER(u64, arrive_b64_of2, (), torchada::count_at(at, 1, 0, 0))
BARRIER(u64, arrive_b64_of3, (u32 count), torchada::count_at(at, count, 0, 0))
BARRIER(u64, arrive_noComplete_b64, (u32 count), torchada::count_at(at, count, 0, 0))
BARRIER(u64, arrive_drop_b64_of2, (), torchada::count_at(at, 1, 1, 0))
BARRIER(u64, arrive_drop_b64_of3, (u32 count), torchada::count_at(at, count, count, 0))
BARRIER(u64, arrive_expect_tx_b64, (s32 bytes), torchada::count_at(at, 1, 0, bytes))
BARRIER(void, expect_tx_b64, (s32 bytes), void(torchada::count_at(at, 0, 0, bytes)))
BARRIER(void, complete_tx_b64, (s32 bytes), void(torchada::count_at(at, 0, 0, -bytes)))
BARRIER(bool, test_wait_b64, (u64 state), torchada::phase_ended(at, torchada::parity(state)))
BARRIER(bool, test_wait_parity_b64, (u32 parity), torchada::phase_ended(at, parity != 0))
BARRIER(bool, try_wait_b64_of3, (u64 state), torchada::try_phase_ended(at, torchada::parity(state)))
BARRIER(bool, try_wait_b64_of4, (u64 state, u32),
        torchada::try_phase_ended(at, torchada::parity(state)))
BARRIER(bool, try_wait_parity_b64_of3, (u32 parity), torchada::try_phase_ended(at, parity != 0))
BARRIER(bool, try_wait_parity_b64_of4, (u32 parity, u32),
        torchada::try_phase_ended(at, parity != 0))
PTX(u32, mbarrier_pending_count_b64, (u64 state), torchada::pending_arrivals(state))
// Copies were done at once: what would come is there.
PTX(void, cp_async_mbarrier_arrive_b64, (At), void())
PTX(void, cp_async_mbarrier_arrive_noinc_b64, (At at), void(torchada::count_at(at, 1, 0, 0)))

// Matrices whose elements a warp holds in the layout that the manual documents.
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef f32 f32x4 __attribute__((ext_vector_type(4)));
typedef f32 f32x8 __attribute__((ext_vector_type(8)));
typedef f64 f64x2 __attribute__((ext_vector_type(2)));

namespace {

struct Parts {
  u32 a[4], b[2];
};
// Adds the products of a row of A (16 x kDepth) and a column of B (kDepth x 8) to the four elements
// that a lane has of the result. A register has kIn elements, and `of_a`, `of_b` give one.
template <u32 kDepth, u32 kIn, typename Sum, typename OfA, typename OfB>
__device__ void add_products(const Parts& parts, Sum* sums, OfA of_a, OfB of_b) {
  torchada::with_all(~0U, parts, [&](const Parts* const* all) {
    const u32 lane = torchada::lane();
    for (u32 n = 0; n < 4; ++n) {
      for (u32 k = 0; k < kDepth; ++k) {
        const u32 piece = k / (4 * kIn), from = k % (4 * kIn) / kIn;
        const Parts& row = *all[lane / 4 * 4 + from];
        const Parts& column = *all[(lane % 4 * 2 + n % 2) * 4 + from];
        sums[n] += static_cast<Sum>(of_a(row.a[n / 2 + 2 * piece], k % kIn)) *
                   static_cast<Sum>(of_b(column.b[piece], k % kIn));
      }
    }
    return 0;
  });
}
__device__ double f16_in(u32 word, u32 at) { return from_f16(static_cast<u16>(word >> 16 * at)); }
__device__ double bf16_in(u32 word, u32 at) { return from_bf16(static_cast<u16>(word >> 16 * at)); }
__device__ double tf32_in(u32 word, u32) { return __uint_as_float(word & 0xffffe000); }
__device__ s64 s8_in(u32 word, u32 at) { return static_cast<s8>(word >> 8 * at); }
__device__ s64 u8_in(u32 word, u32 at) { return static_cast<u8>(word >> 8 * at); }

template <u32 kDepth, u32 kIn, typename Of>
__device__ f32x4 product_f32(const Parts& parts, f32x4 c, Of of) {
  double sums[] = {c.x, c.y, c.z, c.w};
  add_products<kDepth, kIn>(parts, sums, of, of);
  return f32x4{f32(sums[0]), f32(sums[1]), f32(sums[2]), f32(sums[3])};
}
__device__ u32 f16_word(double low, double up) {
  return __half_as_ushort(__double2half(low)) | u32{__half_as_ushort(__double2half(up))} << 16;
}
template <u32 kDepth>
__device__ u32x2 product_f16(const Parts& parts, u32 c0, u32 c1) {
  double sums[] = {f16_in(c0, 0), f16_in(c0, 1), f16_in(c1, 0), f16_in(c1, 1)};
  add_products<kDepth, 2>(parts, sums, f16_in, f16_in);
  return u32x2{f16_word(sums[0], sums[1]), f16_word(sums[2], sums[3])};
}
template <u32 kDepth, bool kSaturates, typename OfA, typename OfB>
__device__ u32x4 product_s32(const Parts& parts, u32x4 c, OfA of_a, OfB of_b) {
  s64 sums[] = {s32(c.x), s32(c.y), s32(c.z), s32(c.w)};
  add_products<kDepth, 4>(parts, sums, of_a, of_b);
  for (s64& sum : sums) sum = kSaturates ? clamped<s32>(sum) : sum;
  return u32x4{u32(sums[0]), u32(sums[1]), u32(sums[2]), u32(sums[3])};
}
__device__ f64x2 product_f64(f64 a, f64 b, f64x2 c) {
  struct Both {
    f64 a, b;
  };
  const Both mine{a, b};
  return torchada::with_all(~0U, mine, [&](const Both* const* all) {
    const u32 lane = torchada::lane();
    for (u32 n = 0; n < 2; ++n) {
      for (u32 k = 0; k < 4; ++k) {
        c[n] = fma(all[lane / 4 * 4 + k]->a, all[(lane % 4 * 2 + n) * 4 + k]->b, c[n]);
      }
    }
    return c;
  });
}
// Four products of 8 x 8 x 4, each of eight lanes: the i-th four, and the i-th four from lane 16
// on.
enum Layout { row, col };
template <Layout kA, Layout kB, typename Sum, typename Start>
__device__ void products_of_eight(u32x2 a, u32x2 b, Start c, Sum* sums) {
  struct All {
    u32x2 a, b;
    Start c;
  };
  const All mine{a, b, c};
  constexpr bool kWide = sizeof(Sum) == 4, kWideStart = sizeof(Start) == 32;
  torchada::with_all(~0U, mine, [&](const All* const* all) {
    const u32 lane = torchada::lane();
    const auto other = [&](u32 i) { return all[lane / 4 % 4 * 4 + i % 4 + i / 4 * 16]; };
    for (u32 i = 0; i < 8; ++i) {
      const u32 m = lane / 16 * 4 + (kWide ? (lane & 1) + (i & 2) : lane % 4);
      const u32 n = kWide ? (i & 4) + (lane & 2) + (i & 1) : i;
      double sum = kWideStart ? double(mine.c[i]) : f16_in(u32(other(m)->c[n / 2 % 4]), n % 2);
      for (u32 k = 0; k < 4; ++k) {
        const u32 in_a = kA == row ? k : m % 4, in_b = kB == row ? n % 4 : k;
        sum += f16_in(other(kA == row ? m : k + m / 4 * 4)->a[in_a / 2], in_a % 2) *
               f16_in(other(kB == row ? k + n / 4 * 4 : n)->b[in_b / 2], in_b % 2);
      }
      sums[i] = Sum(sum);
    }
    return 0;
  });
}
template <Layout kA, Layout kB, typename Start>
__device__ f32x8 eight_f32(u32x2 a, u32x2 b, Start c) {
  f32 s[8];
  products_of_eight<kA, kB>(a, b, c, s);
  return f32x8{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]};
}
template <Layout kA, Layout kB>
__device__ u32x4 eight_f16(u32x2 a, u32x2 b, u32x4 c) {
  double s[8];
  products_of_eight<kA, kB>(a, b, c, s);
  return u32x4{f16_word(s[0], s[1]), f16_word(s[2], s[3]), f16_word(s[4], s[5]),
               f16_word(s[6], s[7])};
}
// Each of the matrices has 8 rows of 8 numbers of 16 bits; lanes 0 to 7 have the addresses of the
// rows of the first one, and so on.
template <bool kTransposed>
__device__ u32x4 load_matrices(const void* row, u32 count) {
  return torchada::with_all(~0U, row, [count](const void* const* const* all) {
    const u32 lane = torchada::lane();
    u32x4 made = {0, 0, 0, 0};
    for (u32 n = 0; n < count; ++n) {
      const auto at = [&](u32 i, u32 j) {
        return u32{static_cast<const u16*>(*all[8 * n + i])[j]};
      };
      const u32 first = lane / 4, second = lane % 4 * 2;
      made[n] = kTransposed ? at(second, first) | at(second + 1, first) << 16
                            : at(first, second) | at(first, second + 1) << 16;
    }
    return made;
  });
}
template <bool kTransposed>
__device__ void store_matrices(void* at, u32x4 words, u32 count) {
  torchada::with_all(~0U, words, [=](const u32x4* const* all) {
    const u32 lane = torchada::lane();
    for (u32 n = 0; lane < 8 * count && n < 8; ++n) {
      const u32 i = kTransposed ? n : lane % 8, j = kTransposed ? lane % 8 : n;
      static_cast<u16*>(at)[n] = u16((*all[i * 4 + j / 2])[lane / 8] >> j % 2 * 16);
    }
    return 0;
  });
}

}  // namespace

#define F32_4 f32 c0, f32 c1, f32 c2, f32 c3
#define U32_4 u32 c0, u32 c1, u32 c2, u32 c3
#define MMA_F32(shape, types, depth, in, of)                                           \
  PTX(f32x4, mma_##shape##_row_col_f32_##types##_f32, (u32 a0, u32 a1, u32 b0, F32_4), \
      product_f32<depth, in>({{a0, a1, 0, 0}, {b0, 0}}, f32x4{c0, c1, c2, c3}, of))
#define MMA_F32_LONG(shape, types, depth, in, of)              \
  PTX(f32x4, mma_##shape##_row_col_f32_##types##_f32,          \
      (u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1, F32_4), \
      product_f32<depth, in>({{a0, a1, a2, a3}, {b0, b1}}, f32x4{c0, c1, c2, c3}, of))
MMA_F32(m16n8k8, f16_f16, 8, 2, f16_in)
MMA_F32(m16n8k8, bf16_bf16, 8, 2, bf16_in)
MMA_F32(m16n8k4, tf32_tf32, 4, 1, tf32_in)
MMA_F32_LONG(m16n8k16, f16_f16, 16, 2, f16_in)
MMA_F32_LONG(m16n8k16, bf16_bf16, 16, 2, bf16_in)
MMA_F32_LONG(m16n8k8, tf32_tf32, 8, 1, tf32_in)
PTX(u32x2, mma_m16n8k8_row_col_f16_f16_f16_f16, (u32 a0, u32 a1, u32 b0, u32 c0, u32 c1),
    product_f16<8>({{a0, a1, 0, 0}, {b0, 0}}, c0, c1))
PTX(u32x2, mma_m16n8k16_row_col_f16_f16_f16_f16,
    (u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1, u32 c0, u32 c1),
    product_f16<16>({{a0, a1, a2, a3}, {b0, b1}}, c0, c1))
#define MMA_S32(a, b) MMA_S32_OF(a, b, , false) MMA_S32_OF(a, b, _satfinite, true)
#define MMA_S32_OF(a, b, suffix, saturates)                                                       \
  PTX(u32x4, mma_m16n8k16_row_col##suffix##_s32_##a##_##b##_s32, (u32 a0, u32 a1, u32 b0, U32_4), \
      product_s32<16, saturates>({{a0, a1, 0, 0}, {b0, 0}}, u32x4{c0, c1, c2, c3}, a##_in,        \
                                 b##_in))                                                         \
  PTX(u32x4, mma_m16n8k32_row_col##suffix##_s32_##a##_##b##_s32,                                  \
      (u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1, U32_4),                                    \
      product_s32<32, saturates>({{a0, a1, a2, a3}, {b0, b1}}, u32x4{c0, c1, c2, c3}, a##_in,     \
                                 b##_in))
MMA_S32(s8, s8)
MMA_S32(s8, u8)
MMA_S32(u8, s8)
MMA_S32(u8, u8)
PTX(f64x2, mma_m8n8k4_row_col_f64_f64_f64_f64, (f64 a, f64 b, f64 c0, f64 c1),
    product_f64(a, b, f64x2{c0, c1}))
#define MMA_EIGHT(a, b)                                                                       \
  PTX(u32x4, mma_m8n8k4_##a##_##b##_f16_f16_f16_f16, (u32 a0, u32 a1, u32 b0, u32 b1, U32_4), \
      eight_f16<a, b>(u32x2{a0, a1}, u32x2{b0, b1}, u32x4{c0, c1, c2, c3}))                   \
  PTX(f32x8, mma_m8n8k4_##a##_##b##_f32_f16_f16_f16, (u32 a0, u32 a1, u32 b0, u32 b1, U32_4), \
      eight_f32<a, b>(u32x2{a0, a1}, u32x2{b0, b1}, u32x4{c0, c1, c2, c3}))                   \
  PTX(f32x8, mma_m8n8k4_##a##_##b##_f32_f16_f16_f32,                                          \
      (u32 a0, u32 a1, u32 b0, u32 b1, F32_4, f32 c4, f32 c5, f32 c6, f32 c7),                \
      eight_f32<a, b>(u32x2{a0, a1}, u32x2{b0, b1}, f32x8{c0, c1, c2, c3, c4, c5, c6, c7}))
MMA_EIGHT(row, row)
MMA_EIGHT(row, col)
MMA_EIGHT(col, row)
MMA_EIGHT(col, col)
PTX(u32, ldmatrix_m8n8_x1_b16, (const void* row), load_matrices<false>(row, 1).x)
PTX(u32x2, ldmatrix_m8n8_x2_b16, (const void* row), load_matrices<false>(row, 2).xy)
PTX(u32x4, ldmatrix_m8n8_x4_b16, (const void* row), load_matrices<false>(row, 4))
PTX(u32, ldmatrix_m8n8_x1_trans_b16, (const void* row), load_matrices<true>(row, 1).x)
PTX(u32x2, ldmatrix_m8n8_x2_trans_b16, (const void* row), load_matrices<true>(row, 2).xy)
PTX(u32x4, ldmatrix_m8n8_x4_trans_b16, (const void* row), load_matrices<true>(row, 4))
#define STORE_MATRICES(suffix, transposed)                                           \
  PTX(void, stmatrix_m8n8_x1##suffix##_b16, (void* row, u32 a),                      \
      store_matrices<transposed>(row, u32x4{a, 0, 0, 0}, 1))                         \
  PTX(void, stmatrix_m8n8_x2##suffix##_b16, (void* row, u32 a, u32 b),               \
      store_matrices<transposed>(row, u32x4{a, b, 0, 0}, 2))                         \
  PTX(void, stmatrix_m8n8_x4##suffix##_b16, (void* row, u32 a, u32 b, u32 c, u32 d), \
      store_matrices<transposed>(row, u32x4{a, b, c, d}, 4))
STORE_MATRICES(, false)
STORE_MATRICES(_trans, true)
