// Device functions: a row each for the kernel that calls it and for what it is compared with.
// `ulps`: how far CUDA documents its results to be at most from the exact one, rounded (Programming
// Guide, Mathematical Functions). Before the arguments' range: what MPFR calls the function, or
// reference.h.
#pragma once

// ROW(name, type, reference, ulps, least, most): of one number. MATH has those of float and double.
#define MATH(ROW, name, reference, ulps_float, ulps_double, least, most) \
  ROW(name##f, float, reference, ulps_float, least, most)                \
  ROW(name, double, reference, ulps_double, least, most)
#define OF_ONE(ROW)                                              \
  MATH(ROW, acos, mpfr_acos, 2, 2, -1, 1)                        \
  MATH(ROW, acosh, mpfr_acosh, 4, 3, 1, 1e30)                    \
  MATH(ROW, asin, mpfr_asin, 2, 2, -1, 1)                        \
  MATH(ROW, asinh, mpfr_asinh, 3, 3, -1e30, 1e30)                \
  MATH(ROW, atan, mpfr_atan, 2, 2, -1e30, 1e30)                  \
  MATH(ROW, atanh, mpfr_atanh, 3, 2, -1, 1)                      \
  MATH(ROW, cbrt, mpfr_cbrt, 1, 1, -1e30, 1e30)                  \
  MATH(ROW, cos, mpfr_cos, 2, 2, -1e5, 1e5)                      \
  MATH(ROW, cosh, mpfr_cosh, 2, 1, -88, 88)                      \
  MATH(ROW, cospi, cospi_of, 1, 2, -1000, 1000)                  \
  MATH(ROW, cyl_bessel_i0, bessel_i0_of, 6, 6, -80, 80)          \
  MATH(ROW, cyl_bessel_i1, bessel_i1_of, 6, 6, -80, 80)          \
  MATH(ROW, erf, mpfr_erf, 2, 2, -5, 5)                          \
  MATH(ROW, erfc, mpfr_erfc, 4, 5, -5, 10)                       \
  MATH(ROW, erfcinv, erfcinv_of, 4, 6, 1e-30, 2)                 \
  MATH(ROW, erfcx, erfcx_of, 4, 4, -8, 1e5)                      \
  MATH(ROW, erfinv, erfinv_of, 2, 5, -1, 1)                      \
  MATH(ROW, exp, mpfr_exp, 2, 1, -100, 88)                       \
  MATH(ROW, exp10, mpfr_exp10, 2, 1, -40, 38)                    \
  MATH(ROW, exp2, mpfr_exp2, 2, 1, -140, 127)                    \
  MATH(ROW, expm1, mpfr_expm1, 1, 1, -20, 88)                    \
  MATH(ROW, j0, mpfr_j0, 9, 7, -8, 8)                            \
  MATH(ROW, j1, mpfr_j1, 9, 7, -8, 8)                            \
  MATH(ROW, lgamma, lgamma_of, 6, 4, -2, 1e10)                   \
  MATH(ROW, log, mpfr_log, 1, 1, 0, 1e38)                        \
  MATH(ROW, log10, mpfr_log10, 2, 1, 0, 1e38)                    \
  MATH(ROW, log1p, mpfr_log1p, 1, 1, -1, 1e38)                   \
  MATH(ROW, log2, mpfr_log2, 1, 1, 0, 1e38)                      \
  MATH(ROW, normcdf, normcdf_of, 5, 5, -12, 10)                  \
  MATH(ROW, normcdfinv, normcdfinv_of, 5, 8, 1e-30, 1)           \
  MATH(ROW, rcbrt, rcbrt_of, 1, 1, -1e30, 1e30)                  \
  MATH(ROW, rsqrt, rsqrt_of, 2, 1, 0, 1e38)                      \
  MATH(ROW, sin, mpfr_sin, 2, 2, -1e5, 1e5)                      \
  MATH(ROW, sinh, mpfr_sinh, 3, 2, -88, 88)                      \
  MATH(ROW, sinpi, sinpi_of, 1, 2, -1000, 1000)                  \
  MATH(ROW, sqrt, mpfr_sqrt, 0, 0, 0, 1e38)                      \
  MATH(ROW, tan, mpfr_tan, 4, 2, -1e5, 1e5)                      \
  MATH(ROW, tanh, mpfr_tanh, 2, 1, -20, 20)                      \
  MATH(ROW, tgamma, mpfr_gamma, 5, 10, -10, 34)                  \
  MATH(ROW, y0, mpfr_y0, 9, 7, 0, 8)                             \
  MATH(ROW, y1, mpfr_y1, 9, 7, 0, 8)                             \
  MATH(ROW, ceil, mpfr_rint_ceil, 0, 0, -1e10, 1e10)             \
  MATH(ROW, fabs, mpfr_abs, 0, 0, -1e10, 1e10)                   \
  MATH(ROW, floor, mpfr_rint_floor, 0, 0, -1e10, 1e10)           \
  MATH(ROW, nearbyint, mpfr_rint_roundeven, 0, 0, -1e10, 1e10)   \
  MATH(ROW, rint, mpfr_rint_roundeven, 0, 0, -1e10, 1e10)        \
  MATH(ROW, round, mpfr_rint_round, 0, 0, -1e10, 1e10)           \
  MATH(ROW, trunc, mpfr_rint_trunc, 0, 0, -1e10, 1e10)           \
  MATH(ROW, frexp_fraction, fraction_of, 0, 0, -1e10, 1e10)      \
  MATH(ROW, frexp_exponent, exponent_of, 0, 0, -1e10, 1e10)      \
  MATH(ROW, ilogb_number, ilogb_of, 0, 0, 1e-10, 1e10)           \
  MATH(ROW, logb, ilogb_of, 0, 0, 1e-10, 1e10)                   \
  MATH(ROW, jn3, jn3_of, 12, 12, -8, 8)                          \
  MATH(ROW, yn3, yn3_of, 12, 12, 1, 8)                           \
  MATH(ROW, ldexp5, times_32, 0, 0, -1e10, 1e10)                 \
  MATH(ROW, scalbn5, times_32, 0, 0, -1e10, 1e10)                \
  MATH(ROW, scalbln5, times_32, 0, 0, -1e10, 1e10)               \
  MATH(ROW, llrint_number, mpfr_rint_roundeven, 0, 0, -1e6, 1e6) \
  MATH(ROW, llround_number, mpfr_rint_round, 0, 0, -1e6, 1e6)    \
  MATH(ROW, lrint_number, mpfr_rint_roundeven, 0, 0, -1e6, 1e6)  \
  MATH(ROW, lround_number, mpfr_rint_round, 0, 0, -1e6, 1e6)     \
  MATH(ROW, modf_fraction, mpfr_frac, 0, 0, -1e6, 1e6)           \
  MATH(ROW, modf_whole, mpfr_rint_trunc, 0, 0, -1e6, 1e6)        \
  MATH(ROW, sincos_sine, mpfr_sin, 2, 2, -1e5, 1e5)              \
  MATH(ROW, sincos_cosine, mpfr_cos, 2, 2, -1e5, 1e5)            \
  MATH(ROW, sincospi_sine, sinpi_of, 1, 2, -1000, 1000)          \
  MATH(ROW, sincospi_cosine, cospi_of, 1, 2, -1000, 1000)        \
  ROW(fast_sine, float, mpfr_sin, 2, -3, 3)                      \
  ROW(fast_cosine, float, mpfr_cos, 2, -3, 3)                    \
  ROW(__cosf, float, mpfr_cos, 2, -3, 3)                         \
  ROW(__exp10f, float, mpfr_exp10, 2, -37, 37)                   \
  ROW(__expf, float, mpfr_exp, 2, -87, 87)                       \
  ROW(__log10f, float, mpfr_log10, 2, 0, 1e38)                   \
  ROW(__log2f, float, mpfr_log2, 1, 0, 1e38)                     \
  ROW(__logf, float, mpfr_log, 1, 0, 1e38)                       \
  ROW(__sinf, float, mpfr_sin, 2, -3, 3)                         \
  ROW(__tanf, float, mpfr_tan, 4, -1.5, 1.5)                     \
  ROW(__tanhf, float, mpfr_tanh, 2, -20, 20)                     \
  ROW(__frsqrt_rn, float, rsqrt_of, 0, 0, 1e38)                  \
  ROW(__saturatef, float, saturated_of, 0, -3, 3)

// ROW(name, type, reference, ulps, least, most): of two.
#define OF_TWO(ROW)                                          \
  MATH(ROW, atan2, mpfr_atan2, 3, 2, -1e10, 1e10)            \
  MATH(ROW, copysign, copysign_of, 0, 0, -1e10, 1e10)        \
  MATH(ROW, fdim, mpfr_dim, 0, 0, -1e10, 1e10)               \
  MATH(ROW, fmax, mpfr_max, 0, 0, -1e10, 1e10)               \
  MATH(ROW, fmin, mpfr_min, 0, 0, -1e10, 1e10)               \
  MATH(ROW, fmod, mpfr_fmod, 0, 0, -1e10, 1e10)              \
  MATH(ROW, hypot, mpfr_hypot, 3, 2, -1e18, 1e18)            \
  MATH(ROW, norm3d_with_1, norm3d_of, 3, 2, -1e10, 1e10)     \
  MATH(ROW, norm4d_with_1_2, norm4d_of, 3, 2, -1e10, 1e10)   \
  MATH(ROW, norm_of_4, norm4d_of, 4, 4, -1e10, 1e10)         \
  MATH(ROW, rnorm3d_with_1, rnorm3d_of, 2, 1, -1e10, 1e10)   \
  MATH(ROW, rnorm4d_with_1_2, rnorm4d_of, 2, 1, -1e10, 1e10) \
  MATH(ROW, rnorm_of_4, rnorm4d_of, 4, 4, -1e10, 1e10)       \
  MATH(ROW, remquo_rest, mpfr_remainder, 0, 0, -1e10, 1e10)  \
  MATH(ROW, pow, mpfr_pow, 4, 2, 0, 30)                      \
  MATH(ROW, remainder, mpfr_remainder, 0, 0, -1e10, 1e10)    \
  MATH(ROW, rhypot, rhypot_of, 2, 1, -1e18, 1e18)            \
  ROW(fdividef, float, mpfr_div, 2, -1e10, 1e10)             \
  ROW(fdivide, double, mpfr_div, 0, -1e10, 1e10)             \
  ROW(__fdividef, float, mpfr_div, 2, -1e10, 1e10)           \
  ROW(__powf, float, mpfr_pow, 4, 0, 30)                     \
  ROW(dadd, double, mpfr_add, 0, -1e10, 1e10)                \
  ROW(dsub, double, mpfr_sub, 0, -1e10, 1e10)                \
  ROW(dmul, double, mpfr_mul, 0, -1e10, 1e10)

// ROW(name, type, reference, direction, arguments): exact but for the rounding.
#define DIRECTED(ROW, suffix, direction)                \
  DIRECTED_OF(ROW, float, f, __fmaf, suffix, direction) \
  DIRECTED_OF(ROW, double, d, __fma, suffix, direction) \
  ROW(__fmaf_ieee_##suffix, float, mpfr_fma, direction, 3)
#define DIRECTED_OF(ROW, type, prefix, fma_name, suffix, direction) \
  ROW(__##prefix##add_##suffix, type, mpfr_add, direction, 2)       \
  ROW(__##prefix##sub_##suffix, type, mpfr_sub, direction, 2)       \
  ROW(__##prefix##mul_##suffix, type, mpfr_mul, direction, 2)       \
  ROW(__##prefix##div_##suffix, type, mpfr_div, direction, 2)       \
  ROW(__##prefix##rcp_##suffix, type, reciprocal_of, direction, 1)  \
  ROW(__##prefix##sqrt_##suffix, type, mpfr_sqrt, direction, 1)     \
  ROW(fma_name##_##suffix, type, mpfr_fma, direction, 3)
#define EXACT(ROW)                         \
  DIRECTED(ROW, rn, MPFR_RNDN)             \
  DIRECTED(ROW, rz, MPFR_RNDZ)             \
  DIRECTED(ROW, rd, MPFR_RNDD)             \
  DIRECTED(ROW, ru, MPFR_RNDU)             \
  ROW(fmaf, float, mpfr_fma, MPFR_RNDN, 3) \
  ROW(fma, double, mpfr_fma, MPFR_RNDN, 3)

// ROW(name, from, to, direction): a number as another type's; outside of an integer's range its
// nearest end.
#define CONVERSIONS(ROW)                                   \
  CONVERSIONS_BY(ROW, rn, MPFR_RNDN)                       \
  CONVERSIONS_BY(ROW, rz, MPFR_RNDZ)                       \
  CONVERSIONS_BY(ROW, rd, MPFR_RNDD)                       \
  CONVERSIONS_BY(ROW, ru, MPFR_RNDU)                       \
  ROW(__int2double_rn, int, double, MPFR_RNDN)             \
  ROW(__double2half, double, __half, MPFR_RNDN)            \
  ROW(__double2bfloat16, double, __nv_bfloat16, MPFR_RNDN) \
  ROW(__uint2double_rn, unsigned int, double, MPFR_RNDN)
#define CONVERSIONS_BY(ROW, suffix, direction)                      \
  CONVERSIONS_OF(ROW, int, int, suffix, direction)                  \
  CONVERSIONS_OF(ROW, uint, unsigned int, suffix, direction)        \
  CONVERSIONS_OF(ROW, ll, long long, suffix, direction)             \
  CONVERSIONS_OF(ROW, ull, unsigned long long, suffix, direction)   \
  ROW(__ll2double_##suffix, long long, double, direction)           \
  ROW(__ull2double_##suffix, unsigned long long, double, direction) \
  ROW(__double2float_##suffix, double, float, direction)            \
  NARROW_CONVERSIONS(ROW, half, __half, suffix, direction)          \
  NARROW_CONVERSIONS(ROW, bfloat16, __nv_bfloat16, suffix, direction)
#define CONVERSIONS_OF(ROW, name, type, suffix, direction) \
  ROW(__float2##name##_##suffix, float, type, direction)   \
  ROW(__double2##name##_##suffix, double, type, direction) \
  ROW(__##name##2float_##suffix, type, float, direction)
#define NARROW_CONVERSIONS(ROW, name, type, suffix, direction)                  \
  ROW(__float2##name##_##suffix, float, type, direction)                        \
  NARROW_CONVERSION(ROW, name, type, short, short, suffix, direction)           \
  NARROW_CONVERSION(ROW, name, type, ushort, unsigned short, suffix, direction) \
  NARROW_CONVERSION(ROW, name, type, int, int, suffix, direction)               \
  NARROW_CONVERSION(ROW, name, type, uint, unsigned int, suffix, direction)     \
  NARROW_CONVERSION(ROW, name, type, ll, long long, suffix, direction)          \
  NARROW_CONVERSION(ROW, name, type, ull, unsigned long long, suffix, direction)
#define NARROW_CONVERSION(ROW, name, type, integer_name, integer, suffix, direction) \
  ROW(__##integer_name##2##name##_##suffix, integer, type, direction)                \
  ROW(__##name##2##integer_name##_##suffix, type, integer, direction)

// ROW(name, type, reference, arguments): of half and bfloat16, rounded once, to nearest.
#define NARROW(ROW) NARROW_OF(ROW, __half) NARROW_OF(ROW, __nv_bfloat16)
#define NARROW_OF(ROW, type)               \
  ROW(__hadd, type, mpfr_add, 2)           \
  ROW(__hadd_rn, type, mpfr_add, 2)        \
  ROW(__hsub, type, mpfr_sub, 2)           \
  ROW(__hsub_rn, type, mpfr_sub, 2)        \
  ROW(__hmul, type, mpfr_mul, 2)           \
  ROW(__hmul_rn, type, mpfr_mul, 2)        \
  ROW(__hdiv, type, mpfr_div, 2)           \
  ROW(__hmax, type, mpfr_max, 2)           \
  ROW(__hmin, type, mpfr_min, 2)           \
  ROW(__hfma, type, mpfr_fma, 3)           \
  ROW(__habs, type, mpfr_abs, 1)           \
  ROW(__hneg, type, mpfr_neg, 1)           \
  ROW(hceil, type, mpfr_rint_ceil, 1)      \
  ROW(hfloor, type, mpfr_rint_floor, 1)    \
  ROW(hrint, type, mpfr_rint_roundeven, 1) \
  ROW(htrunc, type, mpfr_rint_trunc, 1)    \
  ROW(hsqrt, type, mpfr_sqrt, 1)

// ROW(name, result, expression): of words a, b, c; what the expression says in C++ of this machine.
#define WORDS(ROW)                                                                \
  ROW(__popc(a), int, count_bits(a))                                              \
  ROW(__popcll(wide), int, count_bits(wide))                                      \
  ROW(__clz(int(a)), int, leading_zeros(a, 32))                                   \
  ROW(__clzll((long long)(wide)), int, leading_zeros(wide, 64))                   \
  ROW(__ffs(int(a)), int, first_bit(a))                                           \
  ROW(__ffsll((long long)(wide)), int, first_bit(wide))                           \
  ROW(__brev(a), u32, u32(reversed(a, 32)))                                       \
  ROW(__brevll(wide), u64, reversed(wide, 64))                                    \
  ROW(__byte_perm(a, b, c), u32, permuted(a, b, c))                               \
  ROW(__funnelshift_l(a, b, c), u32, u32((joined << (c & 31)) >> 32))             \
  ROW(__funnelshift_r(a, b, c), u32, u32(joined >> (c & 31)))                     \
  ROW(__funnelshift_lc(a, b, c), u32, c >= 32 ? a : u32((joined << c) >> 32))     \
  ROW(__funnelshift_rc(a, b, c), u32, c >= 32 ? b : u32(joined >> c))             \
  ROW(__mul24(int(a), int(b)), int, int(u32(s64(signed24(a)) * signed24(b))))     \
  ROW(__umul24(a, b), u32, u32(u64(a & 0xffffff) * (b & 0xffffff)))               \
  ROW(__mulhi(int(a), int(b)), int, int(s64(int(a)) * int(b) >> 32))              \
  ROW(__umulhi(a, b), u32, u32(u64(a) * b >> 32))                                 \
  ROW(__mul64hi((long long)(wide), (long long)(joined)), s64,                     \
      s64(__int128(s64(wide)) * s64(joined) >> 64))                               \
  ROW(__umul64hi(wide, joined), u64, u64((unsigned __int128)(wide)*joined >> 64)) \
  ROW(__sad(int(a), int(b), c), u32, c + u32(distance(int(a), int(b))))           \
  ROW(__usad(a, b, c), u32, c + u32(distance(a, b)))                              \
  ROW(__hadd(int(a), int(b)), int, int((s64(int(a)) + int(b)) >> 1))              \
  ROW(__rhadd(int(a), int(b)), int, int((s64(int(a)) + int(b) + 1) >> 1))         \
  ROW(__uhadd(a, b), u32, u32((u64(a) + b) >> 1))                                 \
  ROW(__urhadd(a, b), u32, u32((u64(a) + b + 1) >> 1))                            \
  ROW(__dp4a(int(a), int(b), int(c)), int, int(c + dot<s8, s8>(a, b, 0)))         \
  ROW(__dp4a(a, b, c), u32, c + dot<u8, u8>(a, b, 0))                             \
  ROW(__dp2a_lo(int(a), int(b), int(c)), int, int(c + dot<s16, s8>(a, b, 0)))     \
  ROW(__dp2a_hi(int(a), int(b), int(c)), int, int(c + dot<s16, s8>(a, b, 2)))     \
  ROW(__dp2a_lo(a, b, c), u32, c + dot<u16, u8>(a, b, 0))                         \
  ROW(__dp2a_hi(a, b, c), u32, c + dot<u16, u8>(a, b, 2))                         \
  ROW(__double2hiint(__hiloint2double(int(a), int(b))), int, int(a))              \
  ROW(__double2loint(__hiloint2double(int(a), int(b))), int, int(b))              \
  LANES(ROW)                                                                      \
  THREE(ROW, viaddmax, max_of(sum, z))                                            \
  THREE(ROW, viaddmin, min_of(sum, z))                                            \
  THREE(ROW, vimax3, max_of(max_of(x, y), z))                                     \
  THREE(ROW, vimin3, min_of(min_of(x, y), z))                                     \
  ROW(__vimax_s32_relu(int(a), int(b)), int, max_of(max_of(int(a), int(b)), 0))   \
  ROW(__vimin_s32_relu(int(a), int(b)), int, max_of(min_of(int(a), int(b)), 0))   \
  ROW(__vimax_s16x2_relu(a, b), u32, EACH(s16, max_of(max_of(x, y), s64{0})))     \
  ROW(__vimin_s16x2_relu(a, b), u32, EACH(s16, max_of(min_of(x, y), s64{0})))     \
  WHICH(ROW, max, >=)                                                             \
  WHICH(ROW, min, <=)
#define WHICH(ROW, name, op)                                                       \
  ROW(__vib##name##_s32(int(a), int(b), &first) + first, int,                      \
      int(u32(name##_of(int(a), int(b))) + (int(a) op int(b))))                    \
  ROW(__vib##name##_u32(a, b, &first) + first, u32, name##_of(a, b) + (a op b))    \
  ROW(__vib##name##_s16x2(a, b, &first, &second), u32, EACH(s16, name##_of(x, y))) \
  ROW(__vib##name##_u16x2(a, b, &first, &second), u32, EACH(u16, name##_of(x, y))) \
  ROW((__vib##name##_s16x2(a, b, &first, &second), first + 2 * second), int,       \
      (s16(a >> 16) op s16(b >> 16)) + 2 * (s16(a) op s16(b)))                     \
  ROW((__vib##name##_u16x2(a, b, &first, &second), first + 2 * second), int,       \
      (u16(a >> 16) op u16(b >> 16)) + 2 * (u16(a) op u16(b)))
#define THREE(ROW, name, expression)                                                            \
  ROW(__##name##_s32(int(a), int(b), int(c)), int, int(ALONE(int, expression)))                 \
  ROW(__##name##_u32(a, b, c), u32, ALONE(u32, expression))                                     \
  ROW(__##name##_s32_relu(int(a), int(b), int(c)), int, max_of(int(ALONE(int, expression)), 0)) \
  ROW(__##name##_s16x2(a, b, c), u32, EACH(s16, expression))                                    \
  ROW(__##name##_u16x2(a, b, c), u32, EACH(u16, expression))                                    \
  ROW(__##name##_s16x2_relu(a, b, c), u32, EACH(s16, max_of(s64(s16(expression)), s64{0})))
#define LANES(ROW)                                              \
  SIGNED(ROW, abs, magnitude(x))                                \
  SIGNED(ROW, neg, -x)                                          \
  SIGNED_TWO(ROW, add, x + y)                                   \
  SIGNED_TWO(ROW, sub, x - y)                                   \
  ROW(__vabsss2(a), u32, EACH(s16, clamped<s16>(magnitude(x)))) \
  ROW(__vabsss4(a), u32, EACH(s8, clamped<s8>(magnitude(x))))   \
  ROW(__vnegss2(a), u32, EACH(s16, clamped<s16>(-x)))           \
  ROW(__vnegss4(a), u32, EACH(s8, clamped<s8>(-x)))             \
  ROW(__vaddss2(a, b), u32, EACH(s16, clamped<s16>(x + y)))     \
  ROW(__vaddss4(a, b), u32, EACH(s8, clamped<s8>(x + y)))       \
  ROW(__vaddus2(a, b), u32, EACH(u16, clamped<u16>(x + y)))     \
  ROW(__vaddus4(a, b), u32, EACH(u8, clamped<u8>(x + y)))       \
  ROW(__vsubss2(a, b), u32, EACH(s16, clamped<s16>(x - y)))     \
  ROW(__vsubss4(a, b), u32, EACH(s8, clamped<s8>(x - y)))       \
  ROW(__vsubus2(a, b), u32, EACH(u16, clamped<u16>(x - y)))     \
  ROW(__vsubus4(a, b), u32, EACH(u8, clamped<u8>(x - y)))       \
  ROW(__vhaddu2(a, b), u32, EACH(u16, (x + y) / 2))             \
  ROW(__vhaddu4(a, b), u32, EACH(u8, (x + y) / 2))              \
  EITHER(ROW, absdiff, magnitude(x - y))                        \
  EITHER(ROW, avg, rounded_half(x + y))                         \
  EITHER(ROW, max, max_of(x, y))                                \
  EITHER(ROW, min, min_of(x, y))                                \
  COMPARED(ROW, ge, >=)                                         \
  COMPARED(ROW, gt, >)                                          \
  COMPARED(ROW, le, <=)                                         \
  COMPARED(ROW, lt, <)                                          \
  SIGNED_TWO(ROW, cmpeq, -(x == y))                             \
  SIGNED_TWO(ROW, cmpne, -(x != y))                             \
  SIGNED_TWO(ROW, seteq, x == y)                                \
  SIGNED_TWO(ROW, setne, x != y)                                \
  ROW(__vsads2(a, b), u32, SUM(s16, magnitude(x - y)))          \
  ROW(__vsads4(a, b), u32, SUM(s8, magnitude(x - y)))           \
  ROW(__vsadu2(a, b), u32, SUM(u16, magnitude(x - y)))          \
  ROW(__vsadu4(a, b), u32, SUM(u8, magnitude(x - y)))
#define SIGNED(ROW, name, expression)              \
  ROW(__v##name##2(a), u32, EACH(s16, expression)) \
  ROW(__v##name##4(a), u32, EACH(s8, expression))
#define SIGNED_TWO(ROW, name, expression)             \
  ROW(__v##name##2(a, b), u32, EACH(s16, expression)) \
  ROW(__v##name##4(a, b), u32, EACH(s8, expression))
#define EITHER(ROW, name, expression)                  \
  SIGNED_TWO(ROW, name##s, expression)                 \
  ROW(__v##name##u2(a, b), u32, EACH(u16, expression)) \
  ROW(__v##name##u4(a, b), u32, EACH(u8, expression))
#define COMPARED(ROW, name, op)     \
  EITHER(ROW, cmp##name, -(x op y)) \
  EITHER(ROW, set##name, x op y)
