// A reduction and a radix sort by CUB on the stand-in, against std::reduce and std::sort on all
// cores. The two of a pair are measured in turn, in one run. cub.py builds and runs this.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/host/cub_loops.h"
#include "benchmarks/results.h"
#include "benchmarks/samples.h"
#include "cub/device/device_radix_sort.cuh"
#include "cub/device/device_reduce.cuh"

namespace {

using Work = std::function<void()>;

int exponent = 22;
int count() { return 1 << exponent; }
std::string numbers(const char* of) { return "2^" + std::to_string(exponent) + " " + of; }

void check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

void check(cudaError_t status, const char* what) { check(status == cudaSuccess, what); }

// Memory of the stand-in's device is the CPU's.
template <typename T>
T* device_memory(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(memory);
}

// `call(memory, bytes)` is one of CUB's, which asks for memory when it gets none.
template <typename Call>
Work with_memory(Call call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), "asking CUB for its memory");
  void* const memory = device_memory<char>(bytes);
  return [=]() mutable {
    check(call(memory, bytes), "calling CUB");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  };
}

struct Times {
  double clock = 0, processor = 0;  // seconds; those of all threads are added
};

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Times times_of(const Work& work) {
  const Times start{now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID)};
  work();
  return {now(CLOCK_MONOTONIC) - start.clock, now(CLOCK_PROCESS_CPUTIME_ID) - start.processor};
}

// `prepare` is not timed.
void measure(const std::string& name, int repetitions, const Work& prepare, const Work& ours,
             const Work& theirs) {
  bench::Samples samples;
  for (int i = -1; i < repetitions; ++i) {
    Times first;
    Times second;
    for (const bool is_ours : {i % 2 == 0, i % 2 != 0}) {
      prepare();
      (is_ours ? first : second) = times_of(is_ours ? ours : theirs);
    }
    if (i < 0) continue;
    samples.add(name, "clock", second.clock / first.clock);
    samples.add(name, "processor time", second.processor / first.processor);
    samples.add(name, "ours", first.processor * 1e3);
    samples.add(name, "theirs", second.processor * 1e3);
  }
  for (const char* const quantity : {"clock", "processor time"}) {
    const bench::Spread ratio = samples.spread(name, quantity);
    std::printf("%-50s %-15s %.3f (%.3f-%.3f)   at least 0.20\n", name.c_str(), quantity,
                ratio.median, ratio.low, ratio.high);
    bench::save_result(name, quantity, "ratio", ratio, bench::Bound{0, 0.2});
  }
  std::printf("  processor time %.2f ms against %.2f ms, %d cores\n",
              samples.spread(name, "ours").median, samples.spread(name, "theirs").median, cores());
}

template <typename T>
void measure_reduce(const char* what, int repetitions) {
  std::vector<T> in(count());
  for (int i = 0; i < count(); ++i)
    in[i] = static_cast<T>(i % 17) - 8;  // Sums of floats are exact.
  T* const from = device_memory<T>(count());
  T* const sum = device_memory<T>(1);
  std::copy(in.begin(), in.end(), from);
  T expected = 0;
  measure(
      "CUB's reduction of " + numbers(what) + " against std::reduce", repetitions, [] {},
      with_memory([=](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(memory, bytes, from, sum, count());
      }),
      [&] { expected = reduce_on_all_cores(in); });
  check(*sum == expected, "the reduction");
}

void measure_sort(int repetitions) {
  std::vector<unsigned> in(count());
  unsigned x = 1;
  for (unsigned& key : in) key = x = x * 1664525U + 1013904223U;
  unsigned* const from = device_memory<unsigned>(count());
  unsigned* const to = device_memory<unsigned>(count());
  std::copy(in.begin(), in.end(), from);
  std::vector<unsigned> sorted;
  measure(
      "CUB's radix sort of " + numbers("keys") + " against std::sort", repetitions,
      [&] { sorted = in; }, with_memory([=](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, from, to, count());
      }),
      [&] { sort_on_all_cores(sorted); });
  std::sort(in.begin(), in.end());
  check(std::equal(in.begin(), in.end(), to) && in == sorted, "the sort");
}

}  // namespace

// cub REPETITIONS EXPONENT
int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
  if (argc > 2) exponent = std::atoi(argv[2]);
  measure_reduce<int>("ints", repetitions);
  measure_reduce<float>("floats", repetitions);
  measure_sort(std::max(1, repetitions / 5));  // It takes seconds.
}
