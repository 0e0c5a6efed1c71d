// Inline assembly, a row for each instruction: what it computes, and what the PTX manual says.
#include <cstdint>
#include <cstring>

#include "program.h"

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// NAME(result's constraint, its type, expected, text, inputs...)
#define WHOLE_NUMBERS(ROW)                                                                         \
  ROW("=r", u32, 12, "add.u32 %0, %1, %2;", "r"(5), "r"(7))                                        \
  ROW("=h", u16, 4, "add.u16 %0, %1, %2;", "h"(u16(65535)), "h"(u16(5)))                           \
  ROW("=r", u32, 0x7fffffff, "add.sat.s32 %0, %1, %2;", "r"(0x7fffffff), "r"(7))                   \
  ROW("=r", u32, 0x80000000, "sub.sat.s32 %0, %1, %2;", "r"(0x80000000), "r"(7))                   \
  ROW("=l", u64, ~u64(1), "sub.s64 %0, %1, %2;", "l"(5ULL), "l"(7ULL))                             \
  ROW("=r", u32, 0xfffffffe, "mul.hi.u32 %0, %1, %1;", "r"(0xffffffff))                            \
  ROW("=r", u32, 0, "mul.hi.s32 %0, %1, %1;", "r"(0xffffffff))                                     \
  ROW("=r", u32, 1, "mul.lo.s32 %0, %1, %1;", "r"(0xffffffff))                                     \
  ROW("=l", u64, 1ULL << 62, "mul.wide.s32 %0, %1, %1;", "r"(0x80000000))                          \
  ROW("=r", u32, 0xfffe0001, "mul.wide.u16 %0, %1, %1;", "h"(u16(65535)))                          \
  ROW("=l", u64, 1ULL << 32, "mul.hi.u64 %0, %1, %1;", "l"(1ULL << 48))                            \
  ROW("=r", u32, 38, "mad.lo.u32 %0, %1, %2, %3;", "r"(5), "r"(7), "r"(3))                         \
  ROW("=r", u32, 4, "mad.hi.u32 %0, %1, %1, %2;", "r"(0x10000), "r"(3))                            \
  ROW("=l", u64, 0x100000003, "mad.wide.u32 %0, %1, %1, %2;", "r"(0x10000), "l"(3ULL))             \
  ROW("=r", u32, 0xfe000001, "mul24.lo.u32 %0, %1, %1;", "r"(0xffffff))                            \
  ROW("=r", u32, 0xfffffe00, "mul24.hi.u32 %0, %1, %1;", "r"(0xffffff))                            \
  ROW("=r", u32, 0x1000000, "mad24.lo.s32 %0, %1, %1, %1;", "r"(0x00ffffff))                       \
  ROW("=r", u32, u32(-3), "div.s32 %0, %1, %2;", "r"(-7), "r"(2))                                  \
  ROW("=r", u32, u32(-1), "rem.s32 %0, %1, %2;", "r"(-7), "r"(2))                                  \
  ROW("=r", u32, u32(-7), "min.s32 %0, %1, %2;", "r"(-7), "r"(2))                                  \
  ROW("=r", u32, u32(-7), "max.u32 %0, %1, %2;", "r"(-7), "r"(2))                                  \
  ROW("=r", u32, 7, "neg.s32 %0, %1;", "r"(-7))                                                    \
  ROW("=l", u64, 7, "abs.s64 %0, %1;", "l"(-7LL))                                                  \
  ROW("=r", u32, 19, "sad.s32 %0, %1, %2, %3;", "r"(-7), "r"(2), "r"(10))                          \
  ROW("=r", u32, 0x0f00, "and.b32 %0, %1, %2;", "r"(0xff00), "r"(0x0ff0))                          \
  ROW("=l", u64, 0xfff0, "or.b64 %0, %1, %2;", "l"(0xff00ULL), "l"(0x0ff0ULL))                     \
  ROW("=h", u16, 0xf0f0, "xor.b16 %0, %1, %2;", "h"(u16(0xff00)), "h"(u16(0x0ff0)))                \
  ROW("=r", u32, 0xffff00ff, "not.b32 %0, %1;", "r"(0xff00))                                       \
  ROW("=r", u32, 0, "cnot.b32 %0, %1;", "r"(0xff00))                                               \
  ROW("=r", u32, 0, "shl.b32 %0, %1, %2;", "r"(1), "r"(32))                                        \
  ROW("=r", u32, ~0U, "shr.s32 %0, %1, %2;", "r"(-5), "r"(77))                                     \
  ROW("=h", u16, 0x0ff0, "shr.u16 %0, %1, %2;", "h"(u16(0xff00)), "r"(4))                          \
  ROW("=r", u32, 8, "popc.b32 %0, %1;", "r"(0xff00))                                               \
  ROW("=r", u32, 40, "popc.b64 %0, %1;", "l"(0xffffffff0ff0ULL))                                   \
  ROW("=r", u32, 16, "clz.b32 %0, %1;", "r"(0xff00))                                               \
  ROW("=r", u32, 64, "clz.b64 %0, %1;", "l"(0ULL))                                                 \
  ROW("=r", u32, 0x00ff0000, "brev.b32 %0, %1;", "r"(0xff00))                                      \
  ROW("=l", u64, 1ULL << 63, "brev.b64 %0, %1;", "l"(1ULL))                                        \
  ROW("=r", u32, 15, "bfind.u32 %0, %1;", "r"(0xff00))                                             \
  ROW("=r", u32, 2, "bfind.s32 %0, %1;", "r"(-5))                                                  \
  ROW("=r", u32, 16, "bfind.shiftamt.u32 %0, %1;", "r"(0xff00))                                    \
  ROW("=r", u32, ~0U, "bfind.u64 %0, %1;", "l"(0ULL))                                              \
  ROW("=r", u32, 0xab, "bfe.u32 %0, %1, %2, %3;", "r"(0xabc), "r"(4), "r"(8))                      \
  ROW("=r", u32, u32(-6), "bfe.s32 %0, %1, %2, %3;", "r"(0xabc), "r"(8), "r"(4))                   \
  ROW("=l", u64, 0xff, "bfe.u64 %0, %1, %2, %3;", "l"(~0ULL), "r"(56), "r"(60))                    \
  ROW("=r", u32, 0x0bc5, "bfi.b32 %0, %1, %2, %3, %4;", "r"(0xabc), "r"(5), "r"(4), "r"(8))        \
  ROW("=l", u64, 3ULL << 40, "bfi.b64 %0, %1, %2, %3, %4;", "l"(7ULL), "l"(0ULL), "r"(40), "r"(2)) \
  ROW("=r", u32, 0xff0, "bmsk.clamp.b32 %0, %1, %2;", "r"(4), "r"(8))                              \
  ROW("=r", u32, 0xfffffff0, "bmsk.clamp.b32 %0, %1, %2;", "r"(4), "r"(99))                        \
  ROW("=r", u32, u32(-5), "szext.clamp.s32 %0, %1, %2;", "r"(0xb), "r"(4))                         \
  ROW("=r", u32, 0x6, "fns.b32 %0, %1, %2, %3;", "r"(0x50), "r"(5), "r"(1))                        \
  ROW("=r", u32, 0xca, "lop3.b32 %0, %1, %2, %3, 0xca;", "r"(0xf0), "r"(0xcc), "r"(0xaa))          \
  ROW("=r", u32, 0x23456789, "shf.l.wrap.b32 %0, %1, %2, %3;", "r"(0x9abcdef0 & 0x9fffffff),       \
      "r"(0x12345678), "r"(4))                                                                     \
  ROW("=r", u32, 0x12345678, "shf.r.clamp.b32 %0, %1, %2, %3;", "r"(5), "r"(0x12345678), "r"(40))  \
  ROW("=r", u32, 0x33221100, "prmt.b32 %0, %1, %2, %3;", "r"(0x33221100), "r"(0x77665544),         \
      "r"(0x3210))                                                                                 \
  ROW("=r", u32, 0x77ff4400, "prmt.b32 %0, %1, %2, %3;", "r"(0x33229900), "r"(0x77665544),         \
      "r"(0x7940))                                                                                 \
  ROW("=r", u32, 0x55443322, "prmt.b32.f4e %0, %1, %2, %3;", "r"(0x33221100), "r"(0x77665544),     \
      "r"(2))                                                                                      \
  ROW("=r", u32, 0x11111111, "prmt.b32.rc8 %0, %1, %2, %3;", "r"(0x33221100), "r"(0x77665544),     \
      "r"(1))                                                                                      \
  ROW("=r", u32, 70 + 1, "dp4a.u32.u32 %0, %1, %2, %3;", "r"(0x01020304), "r"(0x05060708), "r"(1)) \
  ROW("=r", u32, u32(-13), "dp4a.s32.u32 %0, %1, %2, %3;", "r"(0xffffffff), "r"(0x05020304),       \
      "r"(1))                                                                                      \
  ROW("=r", u32, 1 * 8 + 2 * 7, "dp2a.lo.u32.u32 %0, %1, %2, %3;", "r"(0x00020001),                \
      "r"(0x05060708), "r"(0))                                                                     \
  ROW("=r", u32, 1 * 6 + 2 * 5, "dp2a.hi.s32.s32 %0, %1, %2, %3;", "r"(0x00020001),                \
      "r"(0x05060708), "r"(0))                                                                     \
  ROW("=r", u32, 0xf3, "vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;", "r"(0xf00), "r"(4), "r"(3))   \
  ROW("=r", u32, 0x03, "vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;", "r"(0xf00), "r"(32), "r"(3))  \
  ROW("=r", u32, 6, "vadd.u32.u32.u32.add %0, %1, %2, %3;", "r"(1), "r"(2), "r"(3))                \
  ROW("=r", u32, 4, "slct.u32.s32 %0, %1, %2, %3;", "r"(3), "r"(4), "r"(-1))                       \
  ROW("=l", u64, 0x0000000500000004, "mov.b64 %0, {%1, %2};", "r"(4), "r"(5))                      \
  ROW("=r", u32, 0x00050004, "mov.b32 %0, {%1, %2};", "h"(u16(4)), "h"(u16(5)))                    \
  ROW("=r", u32, 5, "{.reg .b32 low; mov.b64 {low, %0}, %1;}", "l"(0x0000000500000004ULL))         \
  ROW("=r", u32, 0x12,                                                                             \
      "{\n .reg .pred p, q;\n setp.lt.and.s32 p|q, %1, %2, 1;\n"                                   \
      " selp.b32 %0, 0x12, 0x34, p;\n // a comment; with a semicolon\n}",                          \
      "r"(-1), "r"(1))                                                                             \
  ROW("=r", u32, ~0U, "set.lt.u32.s32 %0, %1, %2;", "r"(-1), "r"(1))                               \
  ROW("=r", u32, 2, "{.reg .pred p; setp.hi.u32 p, %1, %2; @p mov.u32 %0, 2; @!p mov.u32 %0, 3;}", \
      "r"(-1), "r"(1))

#define FRACTIONS(ROW)                                                                         \
  ROW("=f", float, 5.5F, "add.f32 %0, %1, %2;", "f"(2.0F), "f"(3.5F))                          \
  ROW("=f", float, 1, "add.sat.f32 %0, %1, %2;", "f"(2.0F), "f"(3.5F))                         \
  ROW("=f", float, 0, "add.ftz.f32 %0, %1, %2;", "f"(1e-40F), "f"(1e-41F))                     \
  ROW("=f", float, 1.0F, "add.rz.f32 %0, %1, %2;", "f"(1.0F), "f"(0x1.8p-24F))                 \
  ROW("=f", float, 1.0F + 0x1p-23F, "add.rp.f32 %0, %1, %2;", "f"(1.0F), "f"(0x1p-30F))        \
  ROW("=d", double, -1.5, "sub.rn.f64 %0, %1, %2;", "d"(2.0), "d"(3.5))                        \
  ROW("=f", float, 7, "mul.rn.f32 %0, %1, %2;", "f"(2.0F), "f"(3.5F))                          \
  ROW("=f", float, 8, "fma.rn.f32 %0, %1, %2, %3;", "f"(2.0F), "f"(3.5F), "f"(1.0F))           \
  ROW("=f", float, 0x1.000002p0F, "fma.rz.f32 %0, %1, %1, %2;", "f"(1.0F), "f"(0x1.8p-23F))    \
  ROW("=d", double, 8, "fma.rm.f64 %0, %1, %2, %3;", "d"(2.0), "d"(3.5), "d"(1.0))             \
  ROW("=f", float, 0.5F, "rcp.rn.f32 %0, %1;", "f"(2.0F))                                      \
  ROW("=f", float, 0.5F, "rcp.approx.ftz.f32 %0, %1;", "f"(2.0F))                              \
  ROW("=f", float, 0.25F, "div.full.f32 %0, %1, %2;", "f"(0.5F), "f"(2.0F))                    \
  ROW("=f", float, 3, "sqrt.approx.f32 %0, %1;", "f"(9.0F))                                    \
  ROW("=d", double, 3, "sqrt.rn.f64 %0, %1;", "d"(9.0))                                        \
  ROW("=f", float, 0.5F, "rsqrt.approx.f32 %0, %1;", "f"(4.0F))                                \
  ROW("=f", float, 8, "ex2.approx.f32 %0, %1;", "f"(3.0F))                                     \
  ROW("=f", float, 3, "lg2.approx.ftz.f32 %0, %1;", "f"(8.0F))                                 \
  ROW("=f", float, 0, "sin.approx.f32 %0, %1;", "f"(0.0F))                                     \
  ROW("=f", float, 1, "cos.approx.f32 %0, %1;", "f"(0.0F))                                     \
  ROW("=f", float, 0, "tanh.approx.f32 %0, %1;", "f"(0.0F))                                    \
  ROW("=f", float, 2, "min.f32 %0, %1, %2;", "f"(2.0F), "f"(NAN))                              \
  ROW("=d", double, 3, "max.f64 %0, %1, %2;", "d"(2.0), "d"(3.0))                              \
  ROW("=f", float, 2, "abs.f32 %0, %1;", "f"(-2.0F))                                           \
  ROW("=f", float, 2, "neg.f32 %0, %1;", "f"(-2.0F))                                           \
  ROW("=f", float, -3, "copysign.f32 %0, %1, %2;", "f"(-2.0F), "f"(3.0F))                      \
  ROW("=f", float, 1.5F, "mov.f32 %0, 0f3FC00000;", "f"(0.0F))                                 \
  ROW("=d", double, 2.5, "add.f64 %0, %1, 0d3FF0000000000000;", "d"(1.5))                      \
  ROW("=r", u32, 1, "{.reg .pred p; setp.neu.f32 p, %1, %1; selp.u32 %0, 1, 0, p;}", "f"(NAN)) \
  ROW("=r", u32, 0, "{.reg .pred p; setp.ne.f32 p, %1, %1; selp.u32 %0, 1, 0, p;}", "f"(NAN))  \
  ROW("=r", u32, 1, "{.reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p;}",         \
      "f"(INFINITY))                                                                           \
  ROW("=h", u16, 0x4200, "add.f16 %0, %1, %2;", "h"(u16(0x3c00)), "h"(u16(0x4000)))            \
  ROW("=r", u32, 0x42004000, "add.f16x2 %0, %1, %1;", "r"(0x3e003c00))                         \
  ROW("=r", u32, 0x44004200, "fma.rn.f16x2 %0, %1, %2, %1;", "r"(0x40003e00), "r"(0x3c003c00)) \
  ROW("=h", u16, 0x3f80, "fma.rn.bf16 %0, %1, %1, %2;", "h"(u16(0x3f80)), "h"(u16(0)))         \
  ROW("=r", u32, 0x3c00c000, "max.f16x2 %0, %1, %2;", "r"(0x3c00c200), "r"(0xbc00c000))        \
  ROW("=r", u32, 0xbc00bc00, "neg.f16x2 %0, %1;", "r"(0x3c003c00))                             \
  ROW("=h", u16, 0x4400, "ex2.approx.f16 %0, %1;", "h"(u16(0x4000)))

#define CONVERSIONS(ROW)                                                            \
  ROW("=r", u32, u32(-5), "cvt.s32.s8 %0, %1;", "r"(0xfb))                          \
  ROW("=r", u32, 0xfb, "cvt.u32.u8 %0, %1;", "r"(0x1fb))                            \
  ROW("=r", u32, 0xff, "cvt.sat.u8.s32 %0, %1;", "r"(300))                          \
  ROW("=r", u32, 0, "cvt.sat.u8.s32 %0, %1;", "r"(-300))                            \
  ROW("=r", u32, u32(-128), "cvt.sat.s8.s32 %0, %1;", "r"(-300))                    \
  ROW("=l", u64, u64(-5LL), "cvt.s64.s32 %0, %1;", "r"(-5))                         \
  ROW("=f", float, -5, "cvt.rn.f32.s32 %0, %1;", "r"(-5))                           \
  ROW("=f", float, 0x1p24F, "cvt.rz.f32.u32 %0, %1;", "r"(0x1000001))               \
  ROW("=f", float, 0x1.000002p24F, "cvt.rp.f32.u32 %0, %1;", "r"(0x1000001))        \
  ROW("=d", double, -5, "cvt.rn.f64.s64 %0, %1;", "l"(-5LL))                        \
  ROW("=r", u32, 2, "cvt.rni.s32.f32 %0, %1;", "f"(2.5F))                           \
  ROW("=r", u32, u32(-2), "cvt.rzi.s32.f32 %0, %1;", "f"(-2.9F))                    \
  ROW("=r", u32, 3, "cvt.rpi.u32.f64 %0, %1;", "d"(2.1))                            \
  ROW("=r", u32, 0x7fffffff, "cvt.rzi.s32.f32 %0, %1;", "f"(1e20F))                 \
  ROW("=f", float, -3, "cvt.rmi.f32.f32 %0, %1;", "f"(-2.1F))                       \
  ROW("=f", float, 1, "cvt.sat.f32.f32 %0, %1;", "f"(2.1F))                         \
  ROW("=f", float, 1, "cvt.rz.f32.f64 %0, %1;", "d"(1 + 1e-8))                      \
  ROW("=d", double, 1.5, "cvt.f64.f32 %0, %1;", "f"(1.5F))                          \
  ROW("=h", u16, 0x3e00, "cvt.rn.f16.f32 %0, %1;", "f"(1.5F))                       \
  ROW("=f", float, 1.5F, "cvt.f32.f16 %0, %1;", "h"(u16(0x3e00)))                   \
  ROW("=h", u16, 0x3fc0, "cvt.rn.bf16.f32 %0, %1;", "f"(1.5F))                      \
  ROW("=r", u32, 0x3fc03f80, "cvt.rn.bf16x2.f32 %0, %1, %2;", "f"(1.5F), "f"(1.0F)) \
  ROW("=r", u32, 0x3e003c00, "cvt.rn.f16x2.f32 %0, %1, %2;", "f"(1.5F), "f"(1.0F))  \
  ROW("=h", u16, 0xc500, "cvt.rn.f16.s32 %0, %1;", "r"(-5))                         \
  ROW("=h", u16, 2, "cvt.rzi.s16.f16 %0, %1;", "h"(u16(0x4100)))

// Of architectures that are newer than that for which nvcc builds this program.
#if defined(TORCHADA_WARP_SIZE) || !defined(__CUDA_ARCH__)
#define NEWER(ROW)                                                                           \
  ROW("=h", u16, 0x3830, "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", "f"(1.0F), "f"(0.5F))    \
  ROW("=h", u16, 0xfe01, "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", "f"(-1e9F), "f"(0.002F)) \
  ROW("=h", u16, 0x3c7b, "cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", "f"(1.0F), "f"(1e9F))    \
  ROW("=h", u16, 0x3830, "cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", "r"(0x3c003800))           \
  ROW("=r", u32, 0x3c003800, "cvt.rn.f16x2.e4m3x2 %0, %1;", "h"(u16(0x3830)))                \
  ROW("=r", u32, 0x3c007b00, "cvt.rn.f16x2.e5m2x2 %0, %1;", "h"(u16(0x3c7b)))
#else
#define NEWER(ROW)
#endif

__device__ u64 bits(u64 value) { return value; }
__device__ u64 bits(u32 value) { return value; }
__device__ u64 bits(u16 value) { return value; }
__device__ u64 bits(float value) { return __float_as_uint(value); }
__device__ u64 bits(double value) { return static_cast<u64>(__double_as_longlong(value)); }

#define IN_KERNEL(constraint, type, expected, text, ...) \
  {                                                      \
    type result;                                         \
    asm(text : constraint(result) : __VA_ARGS__);        \
    *out++ = bits(result);                               \
  }
__global__ void instructions(u64* out){WHOLE_NUMBERS(IN_KERNEL) FRACTIONS(IN_KERNEL)
                                           CONVERSIONS(IN_KERNEL) NEWER(IN_KERNEL)}

// Memory: `words` are 64 zeros.
__global__ void memory(u32* words, u64* out) {
  __shared__ u32 shared[4];
  u32 a = 0, b = 0, c = 0, d = 0;
  u64 wide = 0;
  const u32 at = static_cast<u32>(__cvta_generic_to_shared(shared));
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};"
               :
               : "r"(at), "r"(1), "r"(2), "r"(3), "r"(4));
  asm volatile("ld.shared.u32 %0, [%1 + 8];" : "=r"(a) : "r"(at));
  out[0] = a == 3 && shared[3] == 4 && __isShared(shared) && !__isShared(words);
  out[1] = __isGlobal(words) && !__isGlobal(shared) && !__isGlobal(&a) && __isLocal(&a);
  asm volatile("atom.shared.cta.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(at), "r"(10));
  out[2] = a == 1 && shared[0] == 11;
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" : : "l"(words), "r"(5) : "memory");
  asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(b) : "l"(words), "r"(-5));
  asm volatile("atom.acq_rel.gpu.cas.b32 %0, [%1], %2, %3;" : "=r"(c) : "l"(words), "r"(5), "r"(7));
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(d) : "l"(words), "r"(9));
  out[3] = b == 5 && c == 5 && d == 7 && words[0] == 9;
  asm volatile("atom.inc.u32 %0, [%1], 9;" : "=r"(a) : "l"(words));
  asm volatile("atom.dec.u32 %0, [%1], 9;" : "=r"(b) : "l"(words));
  out[4] = a == 9 && b == 0 && words[0] == 9;
  asm volatile("atom.or.b64 %0, [%1], %2;" : "=l"(wide) : "l"(words + 2), "l"(0xff00000000ULL));
  asm volatile("red.and.b32 [%0 + 12], 0x3c;" : : "l"(words) : "memory");
  out[5] = wide == 0 && words[3] == 0x3c;
  float sum = 0;
  asm volatile("atom.add.f32 %0, [%1], %2;" : "=f"(sum) : "l"(words + 4), "f"(1.5F));
  asm volatile("red.add.f64 [%0], %1;" : : "l"(words + 6), "d"(2.5) : "memory");
  asm volatile("red.add.noftz.f16x2 [%0], %1;" : : "l"(words + 8), "r"(0x3c003800) : "memory");
  out[6] = sum == 0 && words[4] == 0x3fc00000 && words[7] == 0x40040000 && words[8] == 0x3c003800;
  asm volatile("st.release.gpu.global.v2.b32 [%0], {%1, %2};" : : "l"(words + 10), "r"(1), "r"(2));
  asm volatile("ld.acquire.gpu.global.b64 %0, [%1];" : "=l"(wide) : "l"(words + 10));
  out[7] = wide == 0x200000001;
  asm volatile("st.global.cs.u8 [%0], %1;" : : "l"(words + 12), "r"(0xfe));
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.s8 %0, [%1];" : "=r"(a) : "l"(words + 12));
  out[8] = a == 0xfffffffe;
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; mov.u32 %0, 77; @p ld.global.u32 %0, [%1];}"
               : "=r"(a)
               : "l"(static_cast<u32*>(nullptr)), "r"(0));
  asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.u32 [%0], 1;}"
               :
               : "l"(static_cast<u32*>(nullptr)), "r"(0));
  out[9] = a == 77;
  asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(wide) : "l"(shared));
  asm volatile("{.reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p;}"
               : "=r"(a)
               : "l"(shared));
  out[10] = wide == at && a == 1;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(at), "l"(words + 10));
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" : : : "memory");
  out[11] = shared[0] == 1 && shared[1] == 2;
  // 3 to the power of 5, by a loop.
  asm volatile(
      "{\n .reg .pred p;\n .reg .u32 n<2>;\n mov.u32 n0, 5;\n mov.u32 n1, 1;\n"
      "AGAIN:\n mul.lo.u32 n1, n1, 3;\n sub.u32 n0, n0, 1;\n setp.ne.u32 p, n0, 0;\n"
      " @p bra AGAIN;\n bra.uni DONE;\n mov.u32 n1, 0;\nDONE:\n mov.u32 %0, n1;\n}"
      : "=r"(a));
  out[12] = a == 243;
  asm volatile("prefetch.global.L2 [%0];\n nanosleep.u32 1;\n membar.gl;\n fence.acq_rel.sys;"
               :
               : "l"(words)
               : "memory");
  asm volatile("{.reg .u32 a; mov.u32 %0, %%ntid.x; mov.u32 a, %%ctaid.x; add.u32 %0, %0, a;}"
               : "=r"(a));
  out[13] = a == 1;
}

// Lanes: `out` gets 32 words of each.
__global__ void lanes(u32* out) {
  const u32 lane = threadIdx.x;
  u32 a, b;
  asm volatile("{.reg .pred p; shfl.sync.bfly.b32 %0|p, %1, 1, 0x1f, -1;}" : "=r"(a) : "r"(lane));
  out[lane] = a;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(a) : "r"(lane % 2));
  out[32 + lane] = a;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(a) : "r"(lane));
  out[64 + lane] = a;
  asm volatile(
      "{.reg .pred p; setp.lt.u32 p, %1, 4; vote.sync.any.pred p, !p, -1; selp.u32 %0, 1, 0, p;}"
      : "=r"(a)
      : "r"(lane));
  asm volatile("{.reg .pred p; match.all.sync.b32 %0|p, 7, -1; @!p mov.u32 %0, 0;}" : "=r"(b));
  out[96 + lane] = a == 1 && b == 0xffffffff;
  asm volatile("bar.warp.sync 0xffffffff;\n activemask.b32 %0;" : "=r"(a));
  out[128 + lane] = a;
  if (lane >= 8) asm volatile("exit;");
  out[160 + lane] = 1;
  if (lane == 3) asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0; @p exit;}");
  __syncwarp(0xf7);
  out[192 + lane] = 1;
}

// Threads that leave before a barrier are not waited for.
__global__ void leaving(u32* out) {
  if (threadIdx.x % 3 == 0) asm volatile("exit;");
  asm volatile("bar.sync 0;" : : : "memory");
  out[threadIdx.x] = __syncthreads_count(1);
}

template <typename T>
u64 expected_bits(T value) {
  u64 made = 0;
  std::memcpy(&made, &value, sizeof(T));
  return made;
}

int check_all(const char* what, const std::vector<u64>& found, const std::vector<u64>& expected,
              const std::vector<const char*>& texts) {
  int wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    ++wrong;
    std::printf("%s %zu: %llx, expected %llx: %s\n", what, i, found[i], expected[i],
                i < texts.size() ? texts[i] : "");
  }
  if (wrong == 0) std::puts("right");
  return wrong;
}

#define ON_HOST(constraint, type, expected_value, text, ...)            \
  expected.push_back(expected_bits(static_cast<type>(expected_value))); \
  texts.push_back(text);

int main() {
  std::vector<u64> expected;
  std::vector<const char*> texts;
  WHOLE_NUMBERS(ON_HOST)
  FRACTIONS(ON_HOST)
  CONVERSIONS(ON_HOST)
  NEWER(ON_HOST)
  u64* const out = upload(std::vector<u64>(expected.size()));
  instructions<<<1, 1>>>(out);
  if (check_all("instruction", download(out, expected.size()), expected, texts) != 0) return 1;

  u64* const held = upload(std::vector<u64>(16));
  memory<<<1, 1>>>(upload(std::vector<u32>(64)), held);
  if (check_all("memory", download(held, 14), std::vector<u64>(14, 1), {}) != 0) return 1;

  u32* const words = upload(std::vector<u32>(256));
  lanes<<<1, 32>>>(words);
  std::vector<u32> wanted(224);
  for (u32 lane = 0; lane < 32; ++lane) {
    wanted[lane] = lane ^ 1;
    wanted[32 + lane] = lane % 2 == 0 ? 0x55555555 : 0xaaaaaaaa;
    wanted[64 + lane] = 496;
    wanted[96 + lane] = 1;
    wanted[128 + lane] = 0xffffffff;
    wanted[160 + lane] = lane < 8;
    wanted[192 + lane] = lane < 8 && lane != 3;
  }
  if (compare(download(words, 224), wanted) != 0) return 1;

  u32* const left = upload(std::vector<u32>(96));
  leaving<<<1, 96>>>(left);
  std::vector<u32> counts(96);
  for (u32 i = 0; i < 96; ++i) counts[i] = i % 3 == 0 ? 0 : 64;
  return compare(download(left, 96), counts);
}
