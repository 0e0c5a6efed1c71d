// Functions of <cmath> and those that only device code has.
#include "program.h"

__global__ void mathematics(const double* x, double* out) {
  const double v = x[threadIdx.x];
  const float f = static_cast<float>(v);
  out[threadIdx.x] = sin(v) + expf(0) + pow(v, 2) + fabs(-v) + min(3, 5) + max(1.5F, 0.5F) +
                     __saturatef(f + 5) + __expf(0) + __float2int_rn(2.5F) + __mulhi(1 << 30, 8) +
                     __int_as_float(0x40000000) + fdividef(6, 3) + sinpif(0.5F);
}

int main() {
  std::vector<double> x{0.5, 1.5}, expected;
  for (const double v : x) expected.push_back(std::sin(v) + 1 + v * v + v + 3 + 1.5 + 1 + 1 + 2 + 2 + 2 + 2 + 1);
  double* out = upload(std::vector<double>(2));
  mathematics<<<1, 2>>>(upload(x), out);
  return compare(download(out, 2), expected);
}
