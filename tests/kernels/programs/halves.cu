// Half and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "program.h"

#if !defined(__CUDA_FP16_TYPES_EXIST__) || !defined(__CUDA_BF16_TYPES_EXIST__)
#error "nccl-tests and others leave out what they have for types that do not seem to exist"
#endif

__global__ void halves(const float* in, float* out) {
  const int i = threadIdx.x;
  const __half h = __float2half(in[i]);
  const __half2 pair = __halves2half2(h, __float2half(1.0F));
  const __half2 sum = __hadd2(pair, pair);
  const __nv_bfloat16 b = __float2bfloat16(in[i]);
  out[4 * i] = __half2float(h * h);
  out[4 * i + 1] = __low2float(sum) + __high2float(sum);
  out[4 * i + 2] = __bfloat162float(b);
  out[4 * i + 3] = __half2float(__hfma(h, h, __float2half(0.5F))) + (h > __float2half(1.0F) ? 100 : 0);
}

int main() {
  float* out = upload(std::vector<float>(8));
  halves<<<1, 2>>>(upload(std::vector<float>{0.5F, 1.00390625F}), out);
  return compare(download(out, 8), {0.25F, 3.0F, 0.5F, 0.75F, 1.0078125F, 4.0078125F, 1.0F, 101.507812F});
}
