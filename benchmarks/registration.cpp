// What a program with as much device code as PyTorch pays for it: registering 50,000 kernels before
// main, the first question about one, further questions, and unregistering all at exit. Works with
// any libcudart, for example NVIDIA's.
//
// usage: benchmark_registration LIBRARY...
// One more row shows calls of an empty function, the cost of accepting everything and keeping
// nothing.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "benchmarks/results.h"
#include "benchmarks/samples.h"

namespace {

constexpr int kModules = 2500;
constexpr int kEach = 20;
constexpr int kKernels = kModules * kEach;
constexpr int kRepetitions = 15;

// Milliseconds, but nanoseconds for one further question.
struct Times {
  double registering, first_question, further_question, taking_back;
};

using OpenModule = void** (*)(void*);
using EndModule = void (*)(void**);
using Function = void (*)(void**, const char*, char*, const char*, int, void*, void*, void*, void*,
                          int*);
using Attributes = int (*)(void*, const void*);

struct Runtime {
  OpenModule open;
  EndModule end, close;
  Function function;
  Attributes attributes;  // Null: nothing to ask.
};

// An empty container of device code, as nvcc wraps it.
struct {
  unsigned magic = 0xba55ed50;
  unsigned short version = 1, header_size = 16;
  unsigned long long size = 0;
} image;
struct Wrapper {
  int magic = 0x466243b1, version = 1;
  const void* data = &image;
  void* unused = nullptr;
};

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Times measure(const Runtime& runtime, const std::vector<std::string>& names) {
  static char hosts[16 * kKernels];  // Functions lie 16 bytes apart.
  static Wrapper wrappers[kModules];
  static char attributes[4096];
  std::vector<void**> modules(kModules);
  Times out{};
  auto start = std::chrono::steady_clock::now();
  for (int m = 0; m < kModules; ++m) {
    void** const module = modules[m] = runtime.open(&wrappers[m]);
    for (int i = m * kEach; i < (m + 1) * kEach; ++i) {
      char* const name = const_cast<char*>(names[i].c_str());
      runtime.function(module, hosts + 16 * i, name, name, -1, nullptr, nullptr, nullptr, nullptr,
                       nullptr);
    }
    runtime.end(module);
  }
  out.registering = since(start);
  if (runtime.attributes) {
    start = std::chrono::steady_clock::now();
    runtime.attributes(attributes, hosts + 16 * (kKernels / 2));
    out.first_question = since(start);
    constexpr int kQuestions = 10000;
    start = std::chrono::steady_clock::now();
    for (int i = 0; i < kQuestions; ++i) {
      runtime.attributes(attributes, hosts + 16 * (i * 4999LL % kKernels));
    }
    out.further_question = since(start) * 1e6 / kQuestions;
  }
  start = std::chrono::steady_clock::now();
  for (void** module : modules) runtime.close(module);
  out.taking_back = since(start);
  return out;
}

void* const kNowhere = nullptr;
__attribute__((noinline)) void** forget_module(void*) {
  asm volatile("");
  return const_cast<void**>(&kNowhere);
}
__attribute__((noinline)) void forget_end(void**) { asm volatile(""); }
__attribute__((noinline)) void forget_function(void**, const char*, char*, const char*, int, void*,
                                               void*, void*, void*, int*) {
  asm volatile("");
}

bool open_runtime(const char* path, Runtime* out) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  const auto find = [&](const char* name) { return dlsym(library, name); };
  out->open = reinterpret_cast<OpenModule>(find("__cudaRegisterFatBinary"));
  out->end = reinterpret_cast<EndModule>(find("__cudaRegisterFatBinaryEnd"));
  out->close = reinterpret_cast<EndModule>(find("__cudaUnregisterFatBinary"));
  out->function = reinterpret_cast<Function>(find("__cudaRegisterFunction"));
  out->attributes = reinterpret_cast<Attributes>(find("cudaFuncGetAttributes"));
  int count = 0;
  // Keeps the opening of MUSA out of the first question.
  const int status = reinterpret_cast<int (*)(int*)>(find("cudaGetDeviceCount"))(&count);
  if (status != 0) out->attributes = nullptr;
  return true;
}

// Each in a separate process, because programs do it once.
bool in_child(const char* path, const std::vector<std::string>& names, Times* shared) {
  const pid_t child = fork();
  if (child == 0) {
    Runtime runtime{forget_module, forget_end, forget_end, forget_function, nullptr};
    if (path && !open_runtime(path, &runtime)) _exit(1);
    *shared = measure(runtime, names);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

// Median and quartiles; also written for run.py.
bench::Spread spread(const char* library, const char* quantity, const char* unit,
                     const std::vector<Times>& times, double Times::*member) {
  bench::Samples samples;
  for (const Times& each : times) samples.add(library, quantity, each.*member);
  const bench::Spread value = samples.spread(library, quantity);
  bench::save_result(library, quantity, unit, value);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("TORCHADA_LOG", "off", 1);
  std::vector<std::string> names;
  for (int i = 0; i < kKernels; ++i) {
    names.push_back("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_13functor_" +
                    std::to_string(i) + "EEEviT0_T1_");
  }
  auto* const shared = static_cast<Times*>(
      mmap(nullptr, sizeof(Times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) return 1;
  std::printf(
      "%d kernels in %d modules     register, ms  first question, ms  further, ns  take back, ms\n",
      kKernels, kModules);
  for (int i = 0; i < argc; ++i) {
    const char* const path = i == 0 ? nullptr : argv[i];
    std::vector<Times> times;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      if (!in_child(path, names, shared)) return 1;
      times.push_back(*shared);
    }
    const char* const name = path ? path : "an empty function";
    const double registering = spread(name, "register", "ms", times, &Times::registering).median;
    const double first = spread(name, "first question", "ms", times, &Times::first_question).median;
    const double further =
        spread(name, "further question", "ns", times, &Times::further_question).median;
    const double back = spread(name, "take back", "ms", times, &Times::taking_back).median;
    std::printf("%-32s %13.2f %19.2f %12.0f %14.2f\n", name, registering, first, further, back);
  }
  return 0;
}
