// Rounding down, up and towards 0. And names of half, which are a part of a kernel's name.
#include <cuda_fp16.h>

#include "program.h"

__global__ void rounding(const float* x, float* out, __half one) {
  const float a = x[2 * threadIdx.x], b = x[2 * threadIdx.x + 1];
  float* const mine = out + 8 * threadIdx.x;
  mine[0] = __fadd_rd(a, b);
  mine[1] = __fadd_ru(a, b);
  mine[2] = __fmul_rz(a, b);
  mine[3] = __fdiv_rd(a, b);
  mine[4] = __fdiv_ru(a, b);
  mine[5] = __fsqrt_ru(fabsf(a));
  mine[6] = __fmaf_rd(a, b, __half2float(one));
  mine[7] = __int2float_rz(static_cast<int>(b) + 16777217);
}

float rounded(double exact, int direction) {  // -1 down, 1 up, 0 towards 0
  const float near = static_cast<float>(exact);
  const bool up = direction == 0 ? exact < 0 : direction > 0;
  if (up) return near < exact ? std::nextafter(near, INFINITY) : near;
  return near > exact ? std::nextafter(near, -INFINITY) : near;
}

int main() {
  const std::vector<float> x{1, 1e-6F, -1, 3, 0.1F, -7, 1e5F, 0.3F};
  std::vector<float> expected;
  for (size_t i = 0; i < x.size(); i += 2) {
    const double a = x[i], b = x[i + 1];
    for (const float value : {rounded(a + b, -1), rounded(a + b, 1), rounded(a * b, 0), rounded(a / b, -1),
                              rounded(a / b, 1), rounded(std::sqrt(std::fabs(a)), 1), rounded(a * b + 1, -1),
                              rounded(static_cast<int>(b) + 16777217, 0)}) {
      expected.push_back(value);
    }
  }
  float* out = upload(std::vector<float>(32));
  rounding<<<1, 4>>>(upload(x), out, __float2half(1));
  return compare(download(out, 32), expected);
}
