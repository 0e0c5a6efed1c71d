// Rows of the table of inline assembly (src/host/kernels/device/assembly.cu) by which the threads of
// a warp or a block meet, and the matrices that a warp holds.
#include <cuda_fp16.h>

#include "program.h"

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

__device__ void check(u32* wrong, const char* text, bool right) {
  if (right || atomicAdd(wrong, 1) > 20) return;
  printf("%s: wrong in thread %d\n", text, threadIdx.x);
}
// nvcc's own device code is not run, and its assembler knows many rows for newer GPUs alone.
#if defined(TORCHADA_WARP_SIZE) || !defined(__CUDA_ARCH__)

#define IS(text, constraint, type, expected, ...)                  \
  {                                                                \
    type result;                                                   \
    asm volatile(text : "=" constraint(result) : __VA_ARGS__);     \
    check(wrong, text, result == static_cast<type>(expected));     \
  }
#define ASKED(text, expected, ...) \
  IS("{.reg .pred p; " text " selp.u32 %0, 1, 0, p;}", "r", u32, (expected) ? 1 : 0, __VA_ARGS__)
// The value of a lane, in three forms: with a mask, without, and with whether it is in range.
#define SHUFFLE(mode, by, bounds, from, in_range)                                                \
  IS("shfl.sync." mode ".b32 %0, %1, " #by ", " #bounds ", -1;", "r", u32, (from) * 7, "r"(lane * 7)) \
  IS("shfl." mode ".b32 %0, %1, " #by ", " #bounds ";", "r", u32, (from) * 7, "r"(lane * 7))     \
  IS("{.reg .pred p; shfl.sync." mode ".b32 %0|p, %1, " #by ", " #bounds ", -1; @!p add.u32 %0, %0, 1000;}", \
     "r", u32, (from) * 7 + ((in_range) ? 0 : 1000), "r"(lane * 7))
__global__ void across_lanes(u32* wrong) {
  const u32 lane = threadIdx.x % 32;
  SHUFFLE("idx", 5, 31, 5, true)
  SHUFFLE("bfly", 3, 31, lane ^ 3, true)
  SHUFFLE("down", 4, 31, lane < 28 ? lane + 4 : lane, lane < 28)
  SHUFFLE("up", 4, 0, lane < 4 ? lane : lane - 4, lane >= 4)
  IS("vote.sync.ballot.b32 %0, 1, -1;", "r", u32, ~0U, "r"(0))
  IS("{.reg .pred p; setp.lt.u32 p, %1, 9; vote.sync.ballot.b32 %0, p, -1;}", "r", u32, 0x1ff,
     "r"(lane))
  IS("{.reg .pred p; setp.lt.u32 p, %1, 9; vote.ballot.b32 %0, p;}", "r", u32, 0x1ff, "r"(lane))
  ASKED("setp.lt.u32 p, %1, 9; vote.sync.any.pred p, p, -1;", true, "r"(lane))
  ASKED("setp.lt.u32 p, %1, 9; vote.sync.all.pred p, p, -1;", false, "r"(lane))
  ASKED("setp.lt.u32 p, %1, 9; vote.sync.uni.pred p, p, -1;", false, "r"(lane))
  ASKED("setp.lt.u32 p, %1, 32; vote.sync.uni.pred p, p, -1;", true, "r"(lane))
  const u32 even = 0x55555555, mine = lane % 2 == 0 ? even : ~even;
  IS("match.any.sync.b32 %0, %1, -1;", "r", u32, mine, "r"(lane % 2))
  IS("match.any.sync.b64 %0, %1, -1;", "r", u32, mine, "l"(u64{lane % 2} << 40))
  IS("match.all.sync.b32 %0, %1, -1;", "r", u32, 0, "r"(lane))
  IS("match.all.sync.b64 %0, %1, -1;", "r", u32, ~0U, "l"(5ULL))
  IS("{.reg .pred p; match.all.sync.b32 %0|p, %1, -1; @p add.u32 %0, %0, 1;}", "r", u32, 0, "r"(7))
  IS("{.reg .pred p; match.all.sync.b64 %0|p, %1, -1; @p add.u32 %0, %0, 1;}", "r", u32, 0, "l"(7ULL))
#define REDUX(op, t, expected) \
  IS("redux.sync." op "." #t " %0, %1, -1;", "r", u32, expected, "r"(lane + 1))
  REDUX("add", u32, 528)
  REDUX("add", s32, 528)
  REDUX("min", u32, 1)
  REDUX("min", s32, 1)
  REDUX("max", u32, 32)
  REDUX("max", s32, 32)
  REDUX("and", b32, 0)
  REDUX("or", b32, 63)
  REDUX("xor", b32, 32)
  IS("redux.sync.min.s32 %0, %1, -1;", "r", u32, u32(-31), "r"(0 - lane))
  ASKED(".reg .b32 a; elect.sync a|p, -1;", lane == 0, "r"(0))
  __syncwarp();
  IS("activemask.b32 %0;", "r", u32, ~0U, "r"(0))
  asm volatile("bar.warp.sync -1;" : : : "memory");
#define REGISTER(name, expected) IS("mov.u32 %0, %%" name ";", "r", u32, expected, "r"(0))
  REGISTER("laneid", lane)
  REGISTER("lanemask_eq", 1U << lane)
  REGISTER("lanemask_lt", (1U << lane) - 1)
  REGISTER("lanemask_le", (1U << lane) | ((1U << lane) - 1))
  REGISTER("lanemask_ge", ~((1U << lane) - 1))
  REGISTER("lanemask_gt", ~((1U << lane) | ((1U << lane) - 1)))
  // The block's threads.
  asm volatile("bar.sync 0;\n barrier.sync 0;" : : : "memory");
  IS("{.reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, 0, p;}", "r", u32, 40,
     "r"(threadIdx.x))
  ASKED("setp.lt.u32 p, %1, 40; bar.red.and.pred p, 0, p;", false, "r"(threadIdx.x))
  ASKED("setp.lt.u32 p, %1, 40; bar.red.or.pred p, 0, p;", true, "r"(threadIdx.x))
  if (threadIdx.x == 63) asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 2; @p trap; exit;}");
}

// Barriers in shared memory: 64 threads arrive, and bytes are waited for.
__global__ void barriers(u32* wrong) {
  __shared__ u64 barrier, of_bytes, of_some;
  __shared__ u32 came;
  const u32 at = static_cast<u32>(__cvta_generic_to_shared(&barrier)),
            at_bytes = static_cast<u32>(__cvta_generic_to_shared(&of_bytes)),
            at_some = static_cast<u32>(__cvta_generic_to_shared(&of_some));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" : : "r"(at) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" : : "r"(at_bytes) : "memory");
    asm volatile("mbarrier.init.b64 [%0], 5;" : : "l"(&of_some) : "memory");
    came = 0;
  }
  __syncthreads();
  for (u32 turn = 0; turn < 4; ++turn) {
    atomicAdd(&came, 1);
    u64 state = 0;
    u32 ended = 0;
    if (turn % 2 == 0) {
      asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
      while (ended == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(ended) : "r"(at), "l"(state) : "memory");
      }
    } else {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(at) : "memory");
      while (ended == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, 1000; selp.u32 %0, 1, 0, p;}"
                     : "=r"(ended) : "r"(at), "r"(turn % 2) : "memory");
      }
    }
    check(wrong, "mbarrier", came >= 64 * (turn + 1));
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  // One phase by an arrival and 48 bytes.
  u64 state;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 32;" : "=l"(state) : "r"(at_bytes) : "memory");
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;" : : "r"(at_bytes) : "memory");
  ASKED("mbarrier.test_wait.parity.shared.b64 p, [%1], 0;", false, "r"(at_bytes))
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 40;" : : "r"(at_bytes) : "memory");
  ASKED("mbarrier.test_wait.shared.b64 p, [%1], %2;", false, "r"(at_bytes), "l"(state))
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 8;" : : "r"(at_bytes) : "memory");
  ASKED("mbarrier.test_wait.shared.b64 p, [%1], %2;", true, "r"(at_bytes), "l"(state))
  ASKED("mbarrier.test_wait.parity.shared.b64 p, [%1], 0;", true, "r"(at_bytes))
  ASKED("mbarrier.test_wait.parity.shared.b64 p, [%1], 1;", false, "r"(at_bytes))
  // Five arrivals: two at once, one that is not the last, and two that do not come again.
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(state) : "r"(at_some) : "memory");
  IS("mbarrier.pending_count.b64 %0, %1;", "r", u32, 5, "l"(state))
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(at_some) : "memory");
  IS("mbarrier.pending_count.b64 %0, %1;", "r", u32, 3, "l"(state))
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at_some) : "memory");
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(at_some) : "memory");
  ASKED("mbarrier.try_wait.shared.b64 p, [%1], %2, 10;", true, "r"(at_some), "l"(state))
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(at_some) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" : : "r"(at_some) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at_some) : "memory");
  IS("mbarrier.pending_count.b64 %0, %1;", "r", u32, 2, "l"(state))
  ASKED("mbarrier.try_wait.parity.shared.b64 p, [%1], 1;", false, "r"(at_some))
  asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(at_some) : "memory");
}

// Elements of matrices: small numbers that every type has. `bits_...` is one in a register.
__device__ int a_at(u32 row, u32 column, int least) { return int((row * 5 + column * 3) % 7) + least; }
__device__ int b_at(u32 row, u32 column, int least) { return int((row * 2 + column * 7) % 5) + least; }
__device__ int c_at(u32 row, u32 column) { return int(row * 8 + column) - 40; }
__device__ u32 bits_f16(int x) { return __half_as_ushort(__half(float(x))); }
__device__ u32 bits_bf16(int x) { return __float_as_uint(float(x)) >> 16; }
__device__ u32 bits_tf32(int x) { return __float_as_uint(float(x)); }
__device__ u32 bits_s8(int x) { return x & 255; }
__device__ u32 bits_u8(int x) { return x & 255; }
__device__ int exact(u32 row, u32 column, u32 depth, int least_a, int least_b) {
  int sum = c_at(row, column);
  for (u32 k = 0; k < depth; ++k) sum += a_at(row, k, least_a) * b_at(k, column, least_b);
  return sum;
}
// By the manual's tables: registers of the lane with elements that follow each other.
#define LOAD(of_a, of_b, least_a, least_b, in)                                                \
  u32 a[4] = {}, b[2] = {};                                                                   \
  for (u32 r = 0; r < 4; ++r) {                                                               \
    for (u32 i = 0; i < in; ++i) {                                                            \
      const u32 k = lane % 4 * in + i + r / 2 * 4 * in;                                       \
      a[r] |= of_a(a_at(lane / 4 + r % 2 * 8, k, least_a)) << i * 32 / in;                    \
      if (r % 2 == 0) b[r / 2] |= of_b(b_at(k, lane / 4, least_b)) << i * 32 / in;            \
    }                                                                                         \
  }
#define EXPECT(depth, least_a, least_b)                                                  \
  for (u32 r = 0; r < 4; ++r) {                                                          \
    check(wrong, name, d[r] == exact(lane / 4 + r / 2 * 8, lane % 4 * 2 + r % 2, depth,  \
                                     least_a, least_b));                                 \
  }
#define SUMS(type) \
  type d[4], c[4]; \
  for (u32 r = 0; r < 4; ++r) c[r] = type(c_at(lane / 4 + r / 2 * 8, lane % 4 * 2 + r % 2));
#define MMA(text, out, in_c, type, of_a, of_b, least_a, least_b, in, depth)                     \
  {                                                                                             \
    const char* const name = text;                                                              \
    LOAD(of_a, of_b, least_a, least_b, in)                                                      \
    SUMS(type)                                                                                  \
    asm volatile("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};" \
                 : out(d[0]), out(d[1]), out(d[2]), out(d[3])                                   \
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), in_c(c[0]), in_c(c[1]), in_c(c[2]), in_c(c[3])); \
    EXPECT(depth, least_a, least_b)                                                             \
  }
#define MMA_LONG(text, out, in_c, type, of_a, of_b, least_a, least_b, in, depth)                \
  {                                                                                             \
    const char* const name = text;                                                              \
    LOAD(of_a, of_b, least_a, least_b, in)                                                      \
    SUMS(type)                                                                                  \
    asm volatile("mma.sync.aligned." text                                                       \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"         \
                 : out(d[0]), out(d[1]), out(d[2]), out(d[3])                                   \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),            \
                   in_c(c[0]), in_c(c[1]), in_c(c[2]), in_c(c[3]));                             \
    EXPECT(depth, least_a, least_b)                                                             \
  }
#define OF_BYTES(A, B, least_a, least_b)                                                        \
  MMA("m16n8k16.row.col.s32." #A "." #B ".s32", "=r", "r", int, bits_##A, bits_##B, least_a,    \
      least_b, 4, 16)                                                                           \
  MMA_LONG("m16n8k32.row.col.s32." #A "." #B ".s32", "=r", "r", int, bits_##A, bits_##B,        \
           least_a, least_b, 4, 32)                                                             \
  MMA("m16n8k16.row.col.satfinite.s32." #A "." #B ".s32", "=r", "r", int, bits_##A, bits_##B,   \
      least_a, least_b, 4, 16)                                                                  \
  MMA_LONG("m16n8k32.row.col.satfinite.s32." #A "." #B ".s32", "=r", "r", int, bits_##A,        \
           bits_##B, least_a, least_b, 4, 32)
__global__ void matrices(u32* wrong) {
  const u32 lane = threadIdx.x;
  MMA("m16n8k8.row.col.f32.f16.f16.f32", "=f", "f", float, bits_f16, bits_f16, -3, -2, 2, 8)
  MMA_LONG("m16n8k16.row.col.f32.f16.f16.f32", "=f", "f", float, bits_f16, bits_f16, -3, -2, 2, 16)
  MMA("m16n8k8.row.col.f32.bf16.bf16.f32", "=f", "f", float, bits_bf16, bits_bf16, -3, -2, 2, 8)
  MMA_LONG("m16n8k16.row.col.f32.bf16.bf16.f32", "=f", "f", float, bits_bf16, bits_bf16, -3, -2, 2,
           16)
  MMA("m16n8k4.row.col.f32.tf32.tf32.f32", "=f", "f", float, bits_tf32, bits_tf32, -3, -2, 1, 4)
  MMA_LONG("m16n8k8.row.col.f32.tf32.tf32.f32", "=f", "f", float, bits_tf32, bits_tf32, -3, -2, 1, 8)
  OF_BYTES(s8, s8, -3, -2)
  OF_BYTES(s8, u8, -3, 250)
  OF_BYTES(u8, s8, 249, -2)
  OF_BYTES(u8, u8, 249, 250)
  // Sums of half, two in a register.
  for (const u32 depth : {8, 16}) {
    LOAD(bits_f16, bits_f16, -3, -2, 2)
    u32 c[2], d[2];
    for (u32 r = 0; r < 2; ++r) {
      c[r] = bits_f16(c_at(lane / 4 + r * 8, lane % 4 * 2)) |
             bits_f16(c_at(lane / 4 + r * 8, lane % 4 * 2 + 1)) << 16;
    }
    if (depth == 8) {
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
                   : "=r"(d[0]), "=r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    } else {
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                   : "=r"(d[0]), "=r"(d[1])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));
    }
    for (u32 r = 0; r < 4; ++r) {
      check(wrong, "mma with sums of f16",
            (d[r / 2] >> r % 2 * 16 & 0xffff) ==
                bits_f16(exact(lane / 4 + r / 2 * 8, lane % 4 * 2 + r % 2, depth, -3, -2)));
    }
  }
  {
    double d[2], c[2] = {double(c_at(lane / 4, lane % 4 * 2)), double(c_at(lane / 4, lane % 4 * 2 + 1))};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d[0]), "=d"(d[1])
                 : "d"(double(a_at(lane / 4, lane % 4, -3))), "d"(double(b_at(lane % 4, lane / 4, -2))),
                   "d"(c[0]), "d"(c[1]));
    for (u32 r = 0; r < 2; ++r) {
      check(wrong, "mma of f64", d[r] == exact(lane / 4, lane % 4 * 2 + r, 4, -3, -2));
    }
  }
  // Four matrices of 8 rows: the element (m, i, j) is 100 m + 8 i + j.
  __shared__ __align__(16) u16 elements[4][8][8];
  for (u32 n = lane; n < 256; n += 32) elements[n / 64][n / 8 % 8][n % 8] = u16(n / 64 * 100 + n % 64);
  __syncwarp();
  const u32 at = static_cast<u32>(__cvta_generic_to_shared(elements[lane / 8][lane % 8]));
#define LOADED(count, trans)                                                                      \
  for (u32 m = 0; m < count; ++m) {                                                               \
    const u32 i = lane / 4, j = lane % 4 * 2;                                                     \
    const u32 low = m * 100 + (trans ? j * 8 + i : i * 8 + j), up = low + (trans ? 8 : 1);        \
    check(wrong, "ldmatrix", r[m] == (up << 16 | low));                                           \
  }
#define LOAD_MATRICES(name, trans)                                                                \
  {                                                                                               \
    u32 r[4];                                                                                     \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" name ".shared.b16 {%0}, [%1];"                   \
                 : "=r"(r[0]) : "r"(at) : "memory");                                              \
    LOADED(1, trans)                                                                              \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" name ".shared.b16 {%0, %1}, [%2];"               \
                 : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");                                  \
    LOADED(2, trans)                                                                              \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" name ".shared.b16 {%0, %1, %2, %3}, [%4];"       \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");          \
    LOADED(4, trans)                                                                              \
  }
  LOAD_MATRICES("", false)
  LOAD_MATRICES(".trans", true)
#define STORED(count, trans)                                                                      \
  __syncwarp();                                                                                   \
  for (u32 n = lane; n < 256; n += 32) {                                                          \
    const u32 m = n / 64, i = n / 8 % 8, j = n % 8;                                               \
    const u32 value = m * 100 + (trans ? j * 8 + i : i * 8 + j);                                  \
    check(wrong, "stmatrix", elements[m][i][j] == (m < count ? value : 7777));                    \
    elements[m][i][j] = 7777;                                                                     \
  }                                                                                               \
  __syncwarp();
#define STORE_MATRICES(name, trans)                                                               \
  asm volatile("stmatrix.sync.aligned.m8n8.x1" name ".shared.b16 [%0], {%1};"                     \
               : : "r"(at), "r"(r[0]) : "memory");                                                \
  STORED(1, trans)                                                                                \
  asm volatile("stmatrix.sync.aligned.m8n8.x2" name ".shared::cta.b16 [%0], {%1, %2};"            \
               : : "r"(at), "r"(r[0]), "r"(r[1]) : "memory");                                     \
  STORED(2, trans)                                                                                \
  asm volatile("stmatrix.sync.aligned.m8n8.x4" name ".shared.b16 [%0], {%1, %2, %3, %4};"         \
               : : "r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");               \
  STORED(4, trans)
  u32 r[4];
  for (u32 m = 0; m < 4; ++m) {
    const u32 first = m * 100 + lane / 4 * 8 + lane % 4 * 2;
    r[m] = (first + 1) << 16 | first;
  }
  __syncwarp();
  for (u32 n = lane; n < 256; n += 32) elements[n / 64][n / 8 % 8][n % 8] = 7777;
  __syncwarp();
  STORE_MATRICES("", false)
  STORE_MATRICES(".trans", true)
}

// Four products of 8 x 8 x 4: those of lanes 4 q to 4 q + 3 and of the same from 16 on. Each has
// numbers of its own.
__device__ u32 pair_f16(int low, int up) { return bits_f16(low) | bits_f16(up) << 16; }
__device__ void check_eight(u32* wrong, const u32* d16, const float* d32_of_16, const float* d32) {
  const u32 lane = threadIdx.x, q = lane / 4 % 4, half = lane / 16 * 4;
  for (u32 i = 0; i < 8; ++i) {
    const auto expected = [q](u32 row, u32 column) { return exact(row + q, column, 4, -3, -2); };
    const u32 row = (lane & 1) + (i & 2) + half, column = (i & 4) + (lane & 2) + (i & 1);
    check(wrong, "m8n8k4 of f16", (d16[i / 2] >> i % 2 * 16 & 0xffff) == bits_f16(expected(lane % 4 + half, i)));
    check(wrong, "m8n8k4 of f32 and f16", d32_of_16[i] == expected(row, column));
    check(wrong, "m8n8k4 of f32", d32[i] == expected(row, column));
  }
}
#define EIGHT(layout, a_by_rows, b_by_rows)                                                       \
  {                                                                                               \
    const u32 lane = threadIdx.x, q = lane / 4 % 4, half = lane / 16 * 4, l = lane % 4;           \
    int a[4], b[4];                                                                               \
    u32 c[4], d[4];                                                                               \
    float w[8], e[8], f[8];                                                                       \
    for (u32 i = 0; i < 4; ++i) {                                                                 \
      a[i] = a_by_rows ? a_at(l + half + q, i, -3) : a_at(i + half + q, l, -3);                   \
      b[i] = b_by_rows ? b_at(l, i + half, -2) : b_at(i, l + half, -2);                           \
      c[i] = pair_f16(c_at(l + half + q, 2 * i), c_at(l + half + q, 2 * i + 1));                  \
    }                                                                                             \
    for (u32 i = 0; i < 8; ++i) {                                                                 \
      w[i] = float(c_at((lane & 1) + (i & 2) + half + q, (i & 4) + (lane & 2) + (i & 1)));        \
    }                                                                                             \
    const u32 a0 = pair_f16(a[0], a[1]), a1 = pair_f16(a[2], a[3]);                               \
    const u32 b0 = pair_f16(b[0], b[1]), b1 = pair_f16(b[2], b[3]);                               \
    asm volatile("mma.sync.aligned.m8n8k4." layout                                                \
                 ".f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11};"     \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                 \
                 : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); \
    asm volatile("mma.sync.aligned.m8n8k4." layout ".f32.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, " \
                 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15};"                                    \
                 : "=f"(e[0]), "=f"(e[1]), "=f"(e[2]), "=f"(e[3]), "=f"(e[4]), "=f"(e[5]), "=f"(e[6]), \
                   "=f"(e[7])                                                                     \
                 : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); \
    asm volatile("mma.sync.aligned.m8n8k4." layout ".f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, " \
                 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"                \
                 : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]), "=f"(f[4]), "=f"(f[5]), "=f"(f[6]), \
                   "=f"(f[7])                                                                     \
                 : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "f"(w[0]), "f"(w[1]), "f"(w[2]), "f"(w[3]), \
                   "f"(w[4]), "f"(w[5]), "f"(w[6]), "f"(w[7]));                                   \
    check_eight(wrong, d, e, f);                                                                  \
  }
__global__ void eights(u32* wrong) {
  EIGHT("row.row", true, true)
  EIGHT("row.col", true, false)
  EIGHT("col.row", false, true)
  EIGHT("col.col", false, false)
}

#else

__global__ void across_lanes(u32*) {}
__global__ void barriers(u32*) {}
__global__ void matrices(u32*) {}
__global__ void eights(u32*) {}

#endif

int main() {
  u32* const wrong = upload(std::vector<u32>(1));
  across_lanes<<<1, 64>>>(wrong);
  barriers<<<1, 64>>>(wrong);
  matrices<<<1, 32>>>(wrong);
  eights<<<1, 32>>>(wrong);
  return compare(download(wrong, 1), std::vector<u32>{0});
}
