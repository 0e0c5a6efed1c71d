// The CPU stand-in against what it is built on: OpenBLAS, memcpy, the host generators of the real
// libcurand, single host functions.
//
// The two of a pair are measured in turn, again and again in one run. The table shows medians and
// quartiles of the ratios; above 1.00 the stand-in is faster.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <dlfcn.h>
#include <mublas.h>
#include <murand.h>
#include <musa_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/results.h"
#include "benchmarks/samples.h"

namespace {

using Work = std::function<void()>;

struct Pair {
  std::string name;
  double at_least;  // The expected ratio; 0 for none.
  Work ours, theirs;
};

void check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

template <typename Type>
Type* device_memory(std::size_t count) {
  void* memory = nullptr;
  check(musaMalloc(&memory, count * sizeof(Type)) == musaSuccess, "musaMalloc");
  check(musaMemset(memory, 1, count * sizeof(Type)) == musaSuccess, "musaMemset");
  return static_cast<Type*>(memory);
}

// Whole numbers, so that sums are exact.
float* numbers(std::size_t count) {
  float* out = device_memory<float>(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i % 17) - 8.0F;
  return out;
}

mublasHandle_t blas_handle() {
  mublasHandle_t handle = nullptr;
  check(mublasCreate(&handle) == MUBLAS_STATUS_SUCCESS, "mublasCreate");
  return handle;
}

// OpenBLAS here has the same threads as the stand-in: one for each core that the process may use.
Pair sgemm(int n, int calls, double at_least) {
  const std::size_t count = static_cast<std::size_t>(n) * n;
  const float* a = numbers(count);
  const float* b = numbers(count);
  float* c = numbers(count);
  const mublasHandle_t handle = blas_handle();
  const std::string name = "sgemm, n = " + std::to_string(n);
  return {calls == 1 ? name : std::to_string(calls) + " times " + name, at_least,
          [=] {
            const float one = 1.0F;
            const float zero = 0.0F;
            for (int i = 0; i < calls; ++i) {
              check(mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero,
                                c, n) == MUBLAS_STATUS_SUCCESS,
                    "mublasSgemm");
            }
            check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
          },
          [=] {
            for (int i = 0; i < calls; ++i) {
              cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0F, a, n, b, n,
                          0.0F, c, n);
            }
          }};
}

// A batch against OpenBLAS called for each member.
Pair batch() {
  constexpr int n = 96;
  constexpr int members = 500;
  constexpr std::size_t each = std::size_t{n} * n;
  const float* a = numbers(each * members);
  const float* b = numbers(each * members);
  float* c = numbers(each * members);
  const mublasHandle_t handle = blas_handle();
  return {"sgemmStridedBatched, 500 times n = 96", 0.95,
          [=] {
            const float one = 1.0F;
            const float zero = 0.0F;
            check(mublasSgemmStridedBatched(handle, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, a, n,
                                            each, b, n, each, &zero, c, n, each,
                                            members) == MUBLAS_STATUS_SUCCESS,
                  "mublasSgemmStridedBatched");
            check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
          },
          [=] {
            for (std::size_t i = 0; i < members; ++i) {
              cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0F, a + i * each, n,
                          b + i * each, n, 0.0F, c + i * each, n);
            }
          }};
}

Pair copies() {
  constexpr std::size_t size = std::size_t{256} << 20;
  char* from = device_memory<char>(size);
  char* to = device_memory<char>(size);
  return {"copy of 256 MiB", 0.95,
          [=] {
            check(musaMemcpy(to, from, size, musaMemcpyDeviceToDevice) == musaSuccess,
                  "musaMemcpy");
            check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
          },
          [=] { std::memcpy(to, from, size); }};
}

// The real library, opened by path: not linked, and without its headers.
class RealCurand {
 public:
  static RealCurand open() {
    RealCurand real;
    for (const char* path :
         {"/usr/local/cuda/lib64/libcurand.so.10", "/usr/local/cuda/lib64/libcurand.so"}) {
      real.library_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      if (real.library_ != nullptr) break;
    }
    return real;
  }
  explicit operator bool() const { return library_ != nullptr; }

  Work generate(int type, float* output, std::size_t count) const {
    void* generator = nullptr;
    check(call<int(void**, int)>("curandCreateGeneratorHost")(&generator, type) == 0,
          "curandCreateGeneratorHost");
    const auto uniform = call<int(void*, float*, std::size_t)>("curandGenerateUniform");
    return [=] { check(uniform(generator, output, count) == 0, "curandGenerateUniform"); };
  }

 private:
  template <typename Function>
  Function* call(const char* name) const {
    void* found = dlsym(library_, name);
    check(found != nullptr, name);
    return reinterpret_cast<Function*>(found);
  }
  void* library_ = nullptr;
};

Pair random_numbers(const RealCurand& real, const char* name, murandRngType_t ours, int theirs) {
  constexpr std::size_t count = std::size_t{1} << 24;
  float* output = device_memory<float>(count);
  murandGenerator_t generator = nullptr;
  check(murandCreateGenerator(&generator, ours) == MURAND_STATUS_SUCCESS, "murandCreateGenerator");
  return {std::string(name) + ", 2^24 uniform floats", 1.00,
          [=] {
            check(murandGenerateUniform(generator, output, count) == MURAND_STATUS_SUCCESS,
                  "murandGenerateUniform");
            check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
          },
          real.generate(theirs, output, count)};
}

void count_up(void* counter) { ++*static_cast<int*>(counter); }

// The launch of a graph of host functions, against the same number of single calls.
Pair graph() {
  constexpr int nodes = 100;
  static int counter = 0;
  musaStream_t stream = nullptr;
  check(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking) == musaSuccess,
        "musaStreamCreateWithFlags");
  musaGraph_t graph = nullptr;
  check(musaGraphCreate(&graph, 0) == musaSuccess, "musaGraphCreate");
  musaGraphNode_t last = nullptr;
  for (int i = 0; i < nodes; ++i) {
    musaHostNodeParams parameters = {};
    parameters.fn = count_up;
    parameters.userData = &counter;
    musaGraphNode_t node = nullptr;
    check(musaGraphAddHostNode(&node, graph, &last, i == 0 ? 0 : 1, &parameters) == musaSuccess,
          "musaGraphAddHostNode");
    last = node;
  }
  musaGraphExec_t exec = nullptr;
  check(musaGraphInstantiate(&exec, graph, 0) == musaSuccess, "musaGraphInstantiate");
  const auto finish = [=] {
    check(musaStreamSynchronize(stream) == musaSuccess, "musaStreamSynchronize");
  };
  return {"graph of 100 host functions against 100 calls", 0,
          [=] {
            check(musaGraphLaunch(exec, stream) == musaSuccess, "musaGraphLaunch");
            finish();
          },
          [=] {
            for (int i = 0; i < nodes; ++i) {
              check(musaLaunchHostFunc(stream, count_up, &counter) == musaSuccess,
                    "musaLaunchHostFunc");
            }
            finish();
          }};
}

double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  bench::Samples samples;
  std::vector<Pair> pairs = {sgemm(2048, 1, 0.95), sgemm(16, 1000, 0), batch(), copies(), graph()};
  const RealCurand real = RealCurand::open();
  if (real) {
    pairs.push_back(random_numbers(real, "Philox", MURAND_RNG_PSEUDO_PHILOX4_32_10, 161));
    pairs.push_back(random_numbers(real, "XORWOW", MURAND_RNG_PSEUDO_XORWOW, 101));
  } else {
    std::fprintf(stderr, "No CUDA toolkit: the random numbers have nothing to be compared with.\n");
  }
  for (const Pair& pair : pairs) {
    pair.ours();  // Work that is done only once is not measured.
    pair.theirs();
    benchmark::RegisterBenchmark(pair.name.c_str(),
                                 [&samples, &pair](benchmark::State& state) {
                                   bool ours_first = false;
                                   for (auto _ : state) {
                                     ours_first = !ours_first;
                                     double first = seconds(ours_first ? pair.ours : pair.theirs);
                                     double second = seconds(ours_first ? pair.theirs : pair.ours);
                                     if (!ours_first) std::swap(first, second);
                                     state.SetIterationTime(first);
                                     samples.add(pair.name, "ratio", second / first);
                                   }
                                 })
        ->UseManualTime()
        ->Iterations(10)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();

  std::printf("\n%-50s %-22s %s\n", "Speed relative to what it stands on", "median (quartiles)",
              "expected");
  for (const Pair& pair : pairs) {
    const bench::Spread spread = samples.spread(pair.name, "ratio");
    if (spread.median == 0) continue;  // Filtered out.
    std::printf("%-50s %.2f (%.2f-%.2f)", pair.name.c_str(), spread.median, spread.low,
                spread.high);
    if (pair.at_least != 0) std::printf("       at least %.2f", pair.at_least);
    std::printf("\n");
    bench::save_result(pair.name, "speed", "ratio", spread, {0, pair.at_least});
  }
  return 0;
}
