// Kernels whose threads need nothing but their position, in the forms that such kernels have, and
// some that only look like it.
#include "program.h"

// Two questions, and a column that no thread of a block may touch.
extern "C" __global__ void corner(int* out, int rows, int columns) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;  // a comment
  if (row >= rows) return;
  const int column = blockIdx.x * blockDim.x + threadIdx.x, place = row * columns + column;
  if (column >= columns) {
    return;
  }
#pragma unroll
  for (int i = 0; i < 3; ++i) out[place] += place;
}

// Not all threads between two that have work have some.
__global__ void thirds(int* out, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 != 1) out[i] = static_cast<int>(i);
}

// Blocks in three dimensions, more than one core takes at once.
__global__ static void __launch_bounds__(4) numbers(int* out) {
  const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * blockDim.x + threadIdx.x] = blockIdx.x + 100 * blockIdx.y + 10000 * blockIdx.z;
}

// Memory of each thread's own.
namespace {
__global__ void own_arrays(const int* in, int* out) {
  int sorted[4];
  const int i = threadIdx.x;
  for (int k = 0; k < 4; ++k) sorted[(in[i] + k) % 4] = k;
  out[i] = sorted[0] * 1000 + sorted[1] * 100 + sorted[2] * 10 + sorted[3];
}
}  // namespace

// Another function asks for the position.
__device__ int index_of() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void elsewhere(int* out) { out[index_of()] = index_of(); }

// A barrier that no expression shows.
struct Meets {
  __device__ ~Meets() { __syncthreads(); }
};
__global__ void at_the_end(int* out) {
  __shared__ int values[64];
  {
    Meets here;
    values[threadIdx.x] = threadIdx.x;
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}

// A specialisation, and a kernel that a macro makes.
template <int kBy>
__global__ void add_to(int* out) {
  out[threadIdx.x] += kBy;
}
template <>
__global__ void add_to<7>(int* out) {
  out[threadIdx.x] += 700;
}
#define MAKE(name, by) \
  __global__ void name(int* out) { out[threadIdx.x] += by; }
MAKE(add_macro, 5000)

// As many blocks side by side as an index has no room for.
__global__ void wide(unsigned int* count) {
  if (blockIdx.x == 0x200000) atomicAdd(count, 1U);
}

template <typename Expected>
int check_ints(int* out, int n, Expected expected) {
  std::vector<int> wanted(n);
  for (int i = 0; i < n; ++i) wanted[i] = expected(i);
  return compare(download(out, n), wanted);
}

int main() {
  const auto zeros = [](int n) { return upload(std::vector<int>(n)); };
  int wrong = 0;
  int* out = zeros(100 * 70);
  corner<<<dim3(5, 13), dim3(16, 8)>>>(out, 100, 70);
  wrong += check_ints(out, 7000, [](int i) { return 3 * i; });
  out = zeros(1024);
  thirds<<<4, 256>>>(out, 1024);
  wrong += check_ints(out, 1024, [](int i) { return i % 3 == 1 ? 0 : i; });
  out = zeros(3 * 50 * 20 * 4);
  numbers<<<dim3(3, 50, 20), 4>>>(out);
  wrong += check_ints(out, 12000,
                      [](int i) { return i / 4 % 3 + 100 * (i / 12 % 50) + 10000 * (i / 600); });
  std::vector<int> turns(64);
  for (int i = 0; i < 64; ++i) turns[i] = i;
  out = zeros(64);
  own_arrays<<<1, 64>>>(upload(turns), out);
  const int sorted[] = {123, 3012, 2301, 1230};
  wrong += check_ints(out, 64, [&](int i) { return sorted[i % 4]; });
  out = zeros(512);
  elsewhere<<<4, 128>>>(out);
  wrong += check_ints(out, 512, [](int i) { return i; });
  out = zeros(64);
  at_the_end<<<1, 64>>>(out);
  wrong += check_ints(out, 64, [](int i) { return 63 - i; });
  out = zeros(64);
  add_to<7><<<1, 64>>>(out);
  add_to<9><<<1, 64>>>(out);
  add_macro<<<1, 64>>>(out);
  wrong += check_ints(out, 64, [](int) { return 5709; });
  auto* const count = upload(std::vector<unsigned int>(1));
  wide<<<0x200001, 1>>>(count);
  wrong += compare(download(count, 1), {1U});
  return wrong;
}
