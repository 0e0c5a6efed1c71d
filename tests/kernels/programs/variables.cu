// Device and constant variables.
#include "program.h"

namespace settings {
__constant__ float weights[4] = {1, 2, 3, 4};
}
__device__ int launches = 40;
static __device__ double total;

__global__ void weigh(const float* values, float* out) {
  const int i = threadIdx.x;
  out[i] = values[i] * settings::weights[i % 4];
  if (i == 0) atomicAdd(&launches, 1);
  atomicAdd(&total, static_cast<double>(out[i]));
}

__global__ void read_total(double* out) { *out = total; }

int main() {
  const float weights[4] = {2, 4, 6, 8};
  CHECK(cudaMemcpyToSymbol(settings::weights, weights, sizeof weights));
  float* values = upload(std::vector<float>(8, 1));
  float* out = upload(std::vector<float>(8));
  double* sum = upload(std::vector<double>{0});
  weigh<<<1, 8>>>(values, out);
  read_total<<<1, 1>>>(sum);
  int launched = 0;
  CHECK(cudaMemcpyFromSymbol(&launched, launches, sizeof launched));
  return compare(download(out, 8), {2.0F, 4.0F, 6.0F, 8.0F, 2.0F, 4.0F, 6.0F, 8.0F}) +
         compare(download(sum, 1), {40.0}) + compare(std::vector<int>{launched}, {41});
}
