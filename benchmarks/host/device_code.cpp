// Device code through the emitted CUDA runtime, from a kernel library, on the stand-in: a launch
// against MUSA's driver called directly, kernels against the same loops by OpenMP. With the
// argument --count, launches for callgrind (instructions_test.py).
//
// The two of a pair are measured in turn, again and again in one run.
#include <dlfcn.h>
#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/host/device_code_loops.h"
#include "benchmarks/results.h"
#include "benchmarks/samples.h"
#include "cuda13.h"

// Callgrind writes its counts whenever this is entered.
extern "C" __attribute__((noinline)) void instructions_mark() { asm volatile("" ::: "memory"); }

namespace {

using Work = std::function<void()>;

void check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

void check(cudaError_t status, const char* what) { check(status == cudaSuccess, what); }

void finish() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

// The addresses by which the program names its kernels.
char nothing, saxpy, tiled_product, turn;

void register_kernels() {
  static int image;
  void** const module = __cudaRegisterFatBinary(&image);
  const auto kernel = [&](const char* host, const char* name) {
    __cudaRegisterFunction(module, host, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
  };
  kernel(&nothing, "_Z7nothingPfi");
  kernel(&saxpy, "_Z5saxpyfPKfPfi");
  kernel(&tiled_product, "_Z13tiled_productPKfS0_Pfi");
  kernel(&turn, "_Z4turnyPfiff");
}

template <typename... Arguments>
void launch(const void* kernel, dim3 grid, dim3 block, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  check(cudaLaunchKernel(kernel, grid, block, pointers, 0, nullptr), "cudaLaunchKernel");
}

// Whole numbers, so that sums are exact.
float* numbers(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(float)), "cudaMalloc");
  auto* const out = static_cast<float*>(memory);  // The stand-in's memory is the CPU's.
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i % 17) - 8.0F;
  return out;
}

// MUSA's driver, which the runtime has opened, and its handle of the kernel.
class Driver {
 public:
  Driver() {
    library_ = dlopen("libmusa.so.1", RTLD_NOW | RTLD_NOLOAD);
    check(library_ != nullptr, "finding MUSA's driver in the process");
    call(&launch_, "muLaunchKernel");
    int (*load)(void**, const char*) = nullptr;
    int (*find)(void**, void*, const char*) = nullptr;
    call(&load, "muModuleLoad");
    call(&find, "muModuleGetFunction");
    void* module = nullptr;
    check(load(&module, std::getenv("TORCHADA_KERNELS")) == 0, "muModuleLoad");
    check(find(&function_, module, "_Z7nothingPfi") == 0, "muModuleGetFunction");
  }
  void launch(void** arguments) const {
    check(launch_(function_, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) == 0,
          "muLaunchKernel");
  }

 private:
  template <typename Function>
  void call(Function* function, const char* name) const {
    *reinterpret_cast<void**>(function) = dlsym(library_, name);
    check(*function != nullptr, name);
  }

  void* library_;
  void* function_ = nullptr;
  int (*launch_)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                 void**, void**) = nullptr;
};

// Holds the default stream, so that nothing runs beside the calls.
class Hold {
 public:
  Hold() {
    check(sem_init(&release_, 0, 0) == 0, "sem_init");
    const auto wait = [](void* semaphore) { sem_wait(static_cast<sem_t*>(semaphore)); };
    check(cudaLaunchHostFunc(nullptr, wait, &release_), "cudaLaunchHostFunc");
  }
  ~Hold() {
    sem_post(&release_);
    finish();
    sem_destroy(&release_);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  sem_t release_;
};

double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// `of_calls`: the ratio of the calls' times to MUSA's, else the speed relative to the loop's.
void measure(const std::string& name, int repetitions, bool of_calls, double bound,
             const Work& ours, const Work& theirs) {
  bench::Samples samples;
  for (int i = -1; i < repetitions; ++i) {
    double first = 0;
    double second = 0;
    for (const bool is_ours : {i % 2 == 0, i % 2 != 0}) {
      if (of_calls) {
        const Hold hold;
        (is_ours ? first : second) = seconds(is_ours ? ours : theirs);
      } else {
        (is_ours ? first : second) = seconds(is_ours ? ours : theirs);
      }
    }
    if (i >= 0) samples.add(name, "ratio", of_calls ? first / second : second / first);
  }
  const bench::Spread spread = samples.spread(name, "ratio");
  std::printf("%-55s %.2f (%.2f-%.2f)       at %s %.2f\n", name.c_str(), spread.median, spread.low,
              spread.high, of_calls ? "most" : "least", bound);
  bench::save_result(name, of_calls ? "call" : "speed", "ratio", spread,
                     of_calls ? bench::Bound{bound, 0} : bench::Bound{0, bound});
}

void measure_launches(int repetitions, bool count) {
  constexpr int kCalls = 1000;
  float* memory = nullptr;
  int size = 0;
  void* arguments[] = {&memory, &size};
  const auto through_cuda = [&](int calls) {
    for (int i = 0; i < calls; ++i) {
      check(cudaLaunchKernel(&nothing, dim3{4, 1, 1}, dim3{64, 1, 1}, arguments, 0, nullptr),
            "cudaLaunchKernel");
    }
  };
  through_cuda(10);
  const Driver driver;
  const auto directly = [&](int calls) {
    for (int i = 0; i < calls; ++i) driver.launch(arguments);
  };
  directly(10);
  finish();
  if (count) {
    for (const Work& work :
         {Work([&] { through_cuda(kCalls); }), Work([&] { directly(kCalls); })}) {
      const Hold hold;
      instructions_mark();
      work();
      instructions_mark();
    }
    std::printf("launch of a kernel, more than MUSA's driver\n");
    return;
  }
  measure(
      "launch of a kernel against MUSA's driver", repetitions, true, 1.2,
      [&] { through_cuda(kCalls); }, [&] { directly(kCalls); });
}

void measure_saxpy(int repetitions) {
  constexpr int n = 1 << 24;
  const float* const x = numbers(n);
  float* const y = numbers(n);
  measure(
      "saxpy of 2^24 floats against OpenMP", repetitions, false, 0.8,
      [=] {
        launch(&saxpy, {n / 256, 1, 1}, {256, 1, 1}, 0.5F, x, y, n);
        finish();
      },
      [=] { saxpy_loop(0.5F, x, y, n); });
}

void measure_product(int repetitions) {
  constexpr int n = 1024;
  constexpr unsigned int tile = 16;
  constexpr std::size_t size = std::size_t{n} * n;
  const float* const a = numbers(size);
  const float* const b = numbers(size);
  float* const c = numbers(size);
  float* const expected = numbers(size);
  const auto ours = [=] {
    launch(&tiled_product, {n / tile, n / tile, 1}, {tile, tile, 1}, a, b, c, n);
    finish();
  };
  measure("tiled product, n = 1024, against the naive loop", repetitions, false, 0.3, ours,
          [=] { naive_product(a, b, expected, n); });
  check(std::memcmp(c, expected, size * sizeof(float)) == 0, "computing the product");
}

cudaTextureObject_t texture_of(const float* picture, int width) {
  const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  const auto size = static_cast<std::size_t>(width);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  check(cudaMallocArray(&resource.res.array.array, &floats, size, size, 0), "cudaMallocArray");
  const std::size_t row = size * sizeof(float);
  check(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, picture, row, row, size,
                            cudaMemcpyDeviceToDevice),
        "cudaMemcpy2DToArray");
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t made = 0;
  check(cudaCreateTextureObject(&made, &resource, &how, nullptr), "cudaCreateTextureObject");
  return made;
}

void measure_texture(int repetitions) {
  constexpr int n = 2048;
  constexpr std::size_t size = std::size_t{n} * n;
  const float* const picture = numbers(size);
  float* const out = numbers(size);
  float* const expected = numbers(size);
  const cudaTextureObject_t texture = texture_of(picture, n);
  measure(
      "bilinear texture fetch, 2048 by 2048, against C++", repetitions, false, 0.1,
      [=] {
        launch(&turn, {n / 256, n, 1}, {256, 1, 1}, texture, out, n, 0.8F, 0.3F);
        finish();
      },
      [=] { turn_loop(picture, expected, n, 0.8F, 0.3F); });
  // The weights may differ by 1/256 where one of the two is contracted.
  for (std::size_t i = 0; i < size; ++i) {
    check(std::fabs(out[i] - expected[i]) < 0.3F, "turning the picture");
  }
}

}  // namespace

int main(int argc, char** argv) {
  // OpenMP's threads would go on spinning beside the kernels.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);
  }
  setenv("TORCHADA_KERNELS", DEVICE_CODE_IMAGE, 1);
  register_kernels();
  const bool count = argc > 1 && std::strcmp(argv[1], "--count") == 0;
  const int repetitions = argc > 1 && !count ? std::max(1, std::atoi(argv[1])) : 15;
  measure_launches(repetitions * 4, count);
  if (count) return 0;
  measure_texture(repetitions);
  measure_saxpy(repetitions);
  measure_product(repetitions);
  return 0;
}
