// Calls functions of the replacement libraries again and again, for callgrind: see count_test.py.
// Prints the name of each kind of call, in the order of the calls.
#include <cstdint>
#include <cstdio>

#include "benchmarks/adapted/functions.h"

// When this is entered, callgrind writes its counts and starts anew.
extern "C" __attribute__((noinline)) void instructions_mark() { asm volatile("" ::: "memory"); }

extern "C" {
int cudaFree(void*);
int cudaMemcpyAsync(void*, const void*, std::size_t, int, void*);
struct Extent {
  unsigned x, y, z;
};
int cuptiSubscribe(void**, void*, void*);
int cudaLaunchKernel(const void*, Extent, Extent, void**, std::size_t, void*);
}

namespace {

constexpr int kCalls = 1000;

struct Case {
  const char* name;  // As in limits.csv.
  int (*call)();
};

float numbers[4];
alignas(8) char generator[8];  // Bit 0 of a generator's address marks those of the host.
void* const handle = nullptr;
int kernel_of_musa;  // Stands in for a kernel of MUSA: no CUDA binary registered it.

// A tool that wants to hear of nothing yet.
bool subscribe() {
  void* subscriber = nullptr;
  return cuptiSubscribe(&subscriber, reinterpret_cast<void*>(&subscribe), nullptr) == 0;
}

constexpr Case kCases[] = {
    {"direct", [] { return cudaFree(nullptr); }},
    {"direct, 5 arguments", [] { return cudaMemcpyAsync(numbers, numbers, 4, 3, nullptr); }},
    {"guarded",
     [] {
       return cudaLaunchKernel(&kernel_of_musa, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr);
     }},
    {"adapted: status", [] { return cublasSaxpy_v2(handle, 3, numbers, numbers, 1, numbers, 1); }},
    {"adapted: 2 enumerators",
     [] {
       return cublasSgemm_v2(handle, 1, 0, 3, 4, 5, numbers, numbers, 6, numbers, 6, numbers,
                             numbers, 6);
     }},
    {"adapted: 2 enumerators, 6 integers",
     [] {
       return cublasSgemm_v2_64(handle, 1, 0, 3, 4, 5, numbers, numbers, 6, numbers, 6, numbers,
                                numbers, 6);
     }},
    {"adapted: 2 integers", [] { return cublasSscal_v2_64(handle, 3, numbers, numbers, 1); }},
    {"adapted: 4 enumerators",
     [] { return cublasStrsm_v2(handle, 1, 0, 0, 1, 3, 4, numbers, numbers, 6, numbers, 6); }},
    {"adapted: 7 enumerators",
     [] {
       return cublasGemmEx(handle, 1, 0, 3, 4, 5, numbers, numbers, 0, 6, numbers, 0, 6, numbers,
                           numbers, 0, 6, 68, -1);
     }},
    {"adapted: 1 enumerator, the status as it is",
     [] { return curandCreateGenerator(nullptr, 161); }},
    {"direct, with a subscriber that enables nothing",
     [] {
       static const bool is_subscribed = subscribe();
       return is_subscribed ? cudaFree(nullptr) : 1;
     }},
    {"normal numbers", [] { return curandGenerateNormal(&generator, numbers, 4, 0, 1); }},
};

}  // namespace

int main() {
  for (const Case& each : kCases) {
    // An answer of our own instead of MUSA's would be a different measurement.
    const int status = each.call();  // The first call resolves the slot.
    if (status != 0) {
      std::fprintf(stderr, "%s: status %d, MUSA is not reached\n", each.name, status);
      return 1;
    }
    instructions_mark();
    for (int i = 0; i < kCalls; ++i) each.call();
    instructions_mark();
    std::printf("%s\n", each.name);
  }
  return 0;
}
