// Vector types, loads of four floats, bit functions.
#include "program.h"

__global__ void vectors(const float4* in, float4* out, uint2* bits) {
  const float4 v = in[threadIdx.x];
  out[threadIdx.x] = make_float4(v.w, v.z, fmaf(v.y, 2, 1), rsqrtf(v.x * v.x));
  const unsigned int i = threadIdx.x;
  bits[i] = make_uint2(__popc(i) + 10 * __clz(i) + 1000 * __ffs(i), __brev(i));
}

int main() {
  float4* out = upload(std::vector<float4>(2));
  uint2* bits = upload(std::vector<uint2>(2));
  vectors<<<1, 2>>>(upload(std::vector<float4>{{1, 2, 3, 4}, {2, 3, 4, 5}}), out, bits);
  const auto found = download(out, 2);
  const auto words = download(bits, 2);
  return compare(std::vector<float>{found[0].x, found[0].y, found[0].z, found[0].w, found[1].w},
                 {4.0F, 3.0F, 5.0F, 1.0F, 0.5F}) +
         compare(std::vector<unsigned int>{words[0].x, words[1].x, words[1].y},
                 {320U, 1311U, 0x80000000U});
}
