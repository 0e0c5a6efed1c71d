// Inline assembly as public sources write it: lanes, shuffles, bits of words, loads and stores.
#include "program.h"

__device__ unsigned lane_masks() {
  unsigned lane, below, up_to, above, from;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(up_to));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(above));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(from));
  return (below ^ up_to) == 1U << lane && (above ^ from) == 1U << lane && below == ~from ? lane
                                                                                         : 99;
}

// A sum of the lanes up to this one, as CUB's scans have it.
__device__ int scan(int value) {
  for (int by = 1; by < 32; by *= 2) {
    asm volatile(
        "{  .reg .s32 r0;  .reg .pred p;  shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
        "  @p add.s32 r0, r0, %4;  mov.s32 %0, r0;}"
        : "=r"(value)
        : "r"(value), "r"(by), "r"(0), "r"(value), "r"(0xffffffff));
  }
  return value;
}

__device__ unsigned long long bits(unsigned value) {
  unsigned taken, set;
  unsigned long long wide;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(taken) : "r"(value), "r"(4), "r"(8));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(set) : "r"(5), "r"(0), "r"(8), "r"(3));
  asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(taken), "r"(set));
  return wide;
}

// A float to half, to bfloat16 and back, as a program does that compiles without NVIDIA's headers.
__device__ int narrow(float value) {
  unsigned short half, bfloat;
  float from_half, from_bfloat;
  asm("{  cvt.rn.f16.f32 %0, %1;}\n" : "=h"(half) : "f"(value));
  asm("{  cvt.f32.f16 %0, %1;}\n" : "=f"(from_half) : "h"(half));
  asm("{  cvt.rn.bf16.f32 %0, %1;}\n" : "=h"(bfloat) : "f"(value));
  asm("{ mov.b32 %0, {0,%1};}\n" : "=f"(from_bfloat) : "h"(bfloat));
  return static_cast<int>((from_half + from_bfloat) * 1024);
}

__device__ int vote(unsigned value) {
  int found;
  asm volatile(
      "{\n  .reg .pred p;\n  setp.ne.u32 p, %1, 0;\n  vote.sync.ballot.b32 %0, p, 0xffffffff;\n}"
      : "=r"(found)
      : "r"(value));
  return found;
}

__global__ void assembly(int* out, unsigned long long* memory) {
  const int lane = static_cast<int>(lane_masks());
  int sum = scan(lane);
  int last;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
               : "=r"(last)
               : "r"(sum), "r"(31), "r"(31), "r"(0xffffffff));
  unsigned long long a, b;
  asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};"
               :
               : "l"(memory + 2 * lane), "l"(7ULL), "l"(bits(0xabcU))
               : "memory");
  asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];"
               : "=l"(a), "=l"(b)
               : "l"(memory + 2 * lane)
               : "memory");
  int plus = sum;
  asm("add.s32 %0, %0, 1;" : "+r"(plus));
  asm volatile("" : "+r"(plus) : : "memory");
  out[lane * 4] = plus;
  out[lane * 4 + 1] = last;
  out[lane * 4 + 2] = static_cast<int>(a + (b & 0xff) + (b >> 32));
  out[lane * 4 + 3] = vote(lane % 3 == 0);
  out[128 + lane] = narrow(1.0F + static_cast<float>(lane) / 1024);
}

int main() {
  int* const out = upload(std::vector<int>(160));
  auto* const memory = upload(std::vector<unsigned long long>(64));
  assembly<<<1, 32>>>(out, memory);
  std::vector<int> expected;
  for (int lane = 0; lane < 32; ++lane) {
    expected.insert(expected.end(),
                    {lane * (lane + 1) / 2 + 1, 496, 7 + 0xab + (5 << 8), 0x49249249});
  }
  for (int lane = 0; lane < 32; ++lane) {
    // bfloat16 has 7 bits behind the point, and rounds to the even one.
    const int eighths = lane / 8, rest = lane % 8;
    const int rounded = eighths + (rest > 4 || (rest == 4 && eighths % 2 == 1) ? 1 : 0);
    expected.push_back(1024 + lane + 1024 + rounded * 8);
  }
  return compare(download(out, 160), expected);
}
