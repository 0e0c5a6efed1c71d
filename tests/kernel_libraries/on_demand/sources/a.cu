// What the program's first fat binary is made of, with names that are in b.cu, too.
static __global__ void same(int* out) { *out = 1; }

namespace {
__global__ void unnamed(int* out) { *out = 11; }
}  // namespace

static __device__ int value = 31;
__global__ void read(int* out) { *out = value; }

void launch_all_of_a(int* out) {
  same<<<1, 1>>>(out);
  unnamed<<<1, 1>>>(out);
}
