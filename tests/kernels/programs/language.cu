// What of C++ device code may use: each kernel writes one number for each thing that it tries.
#include <cassert>

#include "program.h"

namespace {
// A type without linkage, and one without a name, as arguments of kernels.
struct Hidden {
  int value;
  __host__ __device__ int twice() const { return 2 * value; }
};

template <typename Function>
__global__ void call_with_index(int* out, Function function) {
  out[threadIdx.x] = function(static_cast<int>(threadIdx.x));
}

__global__ void hidden_argument(int* out, Hidden hidden) { *out = hidden.twice(); }
}  // namespace

template <typename Function, typename... More>
__global__ void fold(int* out, Function function, More... more) {
  *out = function((0 + ... + more));
}

// A class whose member launches: it is made whole for its explicit instantiation.
template <typename T>
struct Filler {
  T value;
  void run(int* out);
};
template <typename T>
__global__ void fill_by(int* out, T value) {
  *out = static_cast<int>(value);
}
template <typename T>
void Filler<T>::run(int* out) {
  fill_by<T><<<1, 1>>>(out, value);
}
template struct Filler<long long>;

// Shared memory at file scope, by a macro, of a class, in a template, and cast to another type.
__shared__ int at_file_scope[32];
extern __shared__ unsigned char dynamic[];
#define BUFFER(type, name, count) __shared__ type name[count]
struct Pair {
  int low, high;
};
template <typename T, int kCount>
__device__ T through_shared(T value) {
  __shared__ T values[kCount];
  values[threadIdx.x] = value;
  __syncthreads();
  return values[kCount - 1 - threadIdx.x];
}
__global__ void shared_kinds(int* out) {
  BUFFER(short, by_macro, 32);
  __shared__ Pair pairs[32];
  const int i = static_cast<int>(threadIdx.x);
  at_file_scope[i] = i;
  by_macro[i] = static_cast<short>(10 * i);
  pairs[i] = {100 * i, 1};
  auto* const doubles = reinterpret_cast<double*>(dynamic);
  doubles[i] = 1000.0 * i;
  __syncthreads();
  const int j = 31 - i;
  out[i] = at_file_scope[j] + by_macro[j] + pairs[j].low * pairs[j].high +
           static_cast<int>(doubles[j]) + through_shared<int, 32>(i) +
           static_cast<int>(through_shared<float, 32>(static_cast<float>(i)));
}

// Virtual functions, recursion, pointers to functions, memory of the device.
struct Shape {
  __device__ virtual int sides() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  __device__ int sides() const override { return 4; }
};
struct Triangle : Shape {
  __device__ int sides() const override { return static_cast<int>(threadIdx.x) + 3; }
};
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int plus_thread(int value) { return value + static_cast<int>(threadIdx.x); }
__device__ int minus_one(int value) { return value - 1; }
using Change = int (*)(int);
__device__ Change changes[] = {plus_thread, minus_one};
__global__ void dynamic_calls(int* out, int which) {
  Shape* const shape = which != 0 ? static_cast<Shape*>(new Square) : new Triangle;
  int* const memory = static_cast<int*>(malloc(8 * sizeof(int)));
  assert(memory != nullptr);
  for (int i = 0; i < 8; ++i) memory[i] = i;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += memory[i];
  out[threadIdx.x] =
      shape->sides() + fibonacci(10) + sum + changes[which](100) + changes[1 - which](100);
  free(memory);
  delete shape;
}

// Names that macros make.
#define KERNEL_OF(name) extern "C" __global__ void __launch_bounds__(64) name
KERNEL_OF(from_macro)(int* out) { *out = 7; }

static __constant__ int table[4] = {1, 2, 3, 4};
constexpr int kOfHost = 20;
__global__ void constants(int* out) { *out = table[3] + kOfHost; }

int main() {
  int* const out = upload(std::vector<int>(32));
  int failures = 0;
  const int more = 5;
  call_with_index<<<1, 4>>>(out, [=] __host__ __device__(int i) {
    const auto inner = [=](auto j) { return j * more; };
    return inner(i) + 1;
  });
  failures += compare(download(out, 4), {1, 6, 11, 16});
  hidden_argument<<<1, 1>>>(out, Hidden{21});
  failures += compare(download(out, 1), {42});
  fold<<<1, 1>>>(
      out, [] __device__(auto sum) { return static_cast<int>(2 * sum); }, 1, 2.5);
  failures += compare(download(out, 1), {7});
  Filler<long long>{9}.run(out);
  failures += compare(download(out, 1), {9});
  shared_kinds<<<1, 32, 32 * sizeof(double)>>>(out);
  std::vector<int> expected(32);
  for (int i = 0; i < 32; ++i) expected[i] = 1111 * (31 - i) + 2 * (31 - i);
  failures += compare(download(out, 32), expected);
  dynamic_calls<<<1, 2>>>(out, 0);
  failures += compare(download(out, 2), {3 + 55 + 28 + 100 + 99, 4 + 55 + 28 + 101 + 99});
  dynamic_calls<<<1, 1>>>(out, 1);
  failures += compare(download(out, 1), {4 + 55 + 28 + 99 + 100});
  from_macro<<<1, 1>>>(out);
  failures += compare(download(out, 1), {7});
  constants<<<1, 1>>>(out);
  failures += compare(download(out, 1), {24});
  return failures;
}
