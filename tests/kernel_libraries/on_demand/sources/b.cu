static __global__ void same(int* out) { *out = 2; }

namespace {
__global__ void unnamed(int* out) { *out = 12; }
}  // namespace

static __global__ void alone(int* out) { *out = 42; }
__global__ void plain(int* out) { *out = 52; }

void launch_all_of_b(int* out) {
  same<<<1, 1>>>(out);
  unnamed<<<1, 1>>>(out);
  alone<<<1, 1>>>(out);
}
