// A program with calls that no MUSA supports, in the way that the first word selects:
//   once LIBRARY            one call of cudart, cublas or nccl, from a function that is not
//   exported launch COUNT            launches a registered kernel that has no MUSA image count
//   THREADS COUNT     each thread calls all three, and cudaGetDeviceCount fork COUNT one call here,
//   COUNT in a child that exits late                    one call, and two in a handler of exit()
//   unrun                   one call, then _exit()
//   maps                    one call, then prints what is mapped
//   write COMPANION THREADS COUNT   lines through the companion
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "src/shared/companion_interface.h"

extern "C" {
// None is supported, whatever its arguments.
int cudaEGLStreamConsumerDisconnect(void* connection);
int cublasXtSspmm();
int ncclCommRevoke(void* communicator, int flags);

int cudaGetDeviceCount(int* count);
struct dim3 {
  unsigned x, y, z;
};
int cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                     void* stream);
void** __cudaRegisterFatBinary(void* image);
void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*,
                            void*, void*, void*, int*);
}

namespace app {
namespace {

struct Engine {
  template <typename Number>
  __attribute__((noinline)) static int step(const std::string& library, Number times) {
    int status = 0;
    for (Number i = 0; i < times; ++i) {
      if (library == "cudart") status = cudaEGLStreamConsumerDisconnect(nullptr);  // cudart
      if (library == "cublas") status = cublasXtSspmm();                           // cublas
      if (library == "nccl") status = ncclCommRevoke(nullptr, 0);                  // nccl
    }
    return status;
  }
};

int once() { return Engine::step<long>("cudart", 1); }

void launch(int times) {
  static int image;
  static char kernel;
  __cudaRegisterFunction(__cudaRegisterFatBinary(&image), &kernel, nullptr, "_Z4stepPf", -1,
                         nullptr, nullptr, nullptr, nullptr, nullptr);
  for (int i = 0; i < times; ++i) {
    cudaLaunchKernel(&kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr);
  }
}

void count(int threads, int times) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([times] {
      for (const char* library : {"cudart", "cublas", "nccl"}) Engine::step<long>(library, times);
      int devices = 0;
      for (int k = 0; k < times; ++k) cudaGetDeviceCount(&devices);
    });
  }
  for (std::thread& thread : running) thread.join();
}

void write(const char* companion, int threads, int times) {
  void* handle = dlopen(companion, RTLD_NOW);
  const auto log = reinterpret_cast<decltype(&torchada_companion_log)>(
      handle ? dlsym(handle, "torchada_companion_log") : nullptr);
  if (!log) {
    std::cerr << dlerror() << '\n';
    std::exit(1);
  }
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([=] {
      const std::string filling(100 * static_cast<std::size_t>(i), 'x');
      const std::string text = "thread " + std::to_string(i) + " " + filling;
      for (int k = 0; k < times; ++k) {
        if (log(1, "libtest.so", text.c_str()) == 0) std::exit(1);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t at) { return std::atoi(words.at(at).c_str()); };
  const std::string& what = words.at(0);
  if (what == "once") {
    std::cout << Engine::step<long>(words.at(1), 1) << '\n';
  } else if (what == "launch") {
    launch(number(1));
  } else if (what == "count") {
    count(number(1), number(2));
  } else if (what == "fork") {
    once();
    const pid_t child = fork();
    if (child == 0) {
      Engine::step<long>("cudart", number(1));
      std::exit(0);
    }
    waitpid(child, nullptr, 0);
    std::cout << child << '\n';
  } else if (what == "late") {
    std::atexit([] { Engine::step<long>("cudart", 2); });
    once();
  } else if (what == "unrun") {
    once();
    _exit(0);
  } else if (what == "maps") {
    once();
    std::cout << std::ifstream("/proc/self/maps").rdbuf();
  } else if (what == "write") {
    write(words.at(1).c_str(), number(2), number(3));
  } else {
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace app

int main(int argc, char** argv) { return app::run({argv + 1, argv + argc}); }
