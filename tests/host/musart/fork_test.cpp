#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/host/musart/child.h"
#include "tests/host/musart/exported_names.h"
#include "tests/host/musart/support.h"

#ifdef __SANITIZE_ADDRESS__
// LeakSanitizer asks this when a process exits. In a child of fork() nothing leads to what the
// parent's threads hold, because their stacks are not searched there: it would be called leaked.
static bool leaks_are_ignored = false;
extern "C" int __lsan_is_turned_off() { return leaks_are_ignored; }
#endif

namespace {

TEST(Fork, TheChildIsToldThatTheRuntimeIsGone) {
  musaStream_t stream = nullptr;
  void* memory = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  ASSERT_OK(musaMalloc(&memory, 100));
  Barrier barrier;
  barrier.hold(stream);
  EXPECT_EQ(0, in_child([&] {
              int count = 0;
              int version = 0;
              return musaGetDeviceCount(&count) == musaErrorInitializationError &&
                     musaSetDevice(0) == musaErrorInitializationError &&
                     musaStreamSynchronize(stream) == musaErrorInitializationError &&
                     musaDeviceSynchronize() == musaErrorInitializationError &&
                     musaMemset(memory, 0, 1) == musaErrorInitializationError &&
                     musaFree(memory) == musaErrorInitializationError &&
                     musaLaunchKernel(nullptr, 1, 1, nullptr, 0, nullptr) ==
                         musaErrorInitializationError &&
                     musaGetLastError() == musaErrorInitializationError &&
                     musaGetLastError() == musaSuccess &&
                     musaRuntimeGetVersion(&version) == musaSuccess &&
                     std::strcmp(musaGetErrorString(musaSuccess), "no error") == 0;
            }));
  barrier.open();
  // The parent still works.
  EXPECT_OK(musaStreamSynchronize(stream));
  EXPECT_OK(musaFree(memory));
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST(Fork, AChildThatExitsLeavesTheParentsSharedMemoryAlone) {
  void* memory = nullptr;
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaMalloc(&memory, 100));
  ASSERT_OK(musaMemsetAsync(memory, 0, 100, musaStreamPerThread));
  ASSERT_OK(musaStreamSynchronize(musaStreamPerThread));
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
#ifdef __SANITIZE_ADDRESS__
    leaks_are_ignored = true;
#endif
    // Unlike _exit, this runs exit handlers and the destructors of the thread's objects.
    std::exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
  EXPECT_EQ("0\n", run_helper("try-shared " + to_hex(handle)).output);
  EXPECT_OK(musaFree(memory));
}

// Enough zeros for the arguments of any function, including those on the stack.
using AnyFunction = long (*)(long, long, long, long, long, long, long, long, long, long, long, long,
                             long, long, long, long, long, long, long, long, long, long);
long call_with_zeros(void* function) {
  return reinterpret_cast<AnyFunction>(function)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                 0, 0, 0, 0, 0);
}

// All functions that return a status for real work.
std::vector<std::pair<std::string, void*>> functions_that_can_fail() {
  const std::set<std::string> others = {"musaGetErrorName", "musaGetErrorString",
                                        "musaGetLastError", "musaPeekAtLastError",
                                        "musaCreateChannelDesc"};
  Dl_info library{};
  EXPECT_NE(0, dladdr(reinterpret_cast<void*>(&musaMalloc), &library));
  void* const handle = dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  EXPECT_NE(nullptr, handle);
  std::vector<std::pair<std::string, void*>> functions;
  for (const std::string& name : exported_names(library.dli_fname)) {
    if (!name.starts_with("musa") || others.count(name) != 0) continue;
    functions.emplace_back(name, dlsym(handle, name.c_str()));
    EXPECT_NE(nullptr, functions.back().second) << name;
  }
  return functions;
}

// The number of the first function that does not fail, counted from 1. 0 if all fail. The child
// cannot hang.
int first_that_does_not_fail(const std::vector<std::pair<std::string, void*>>& functions) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    for (size_t i = 0; i < functions.size(); ++i) {
      if (static_cast<int>(call_with_zeros(functions[i].second)) == 0) {
        _exit(static_cast<int>(std::min(i + 1, size_t{255})));
      }
    }
    // The error functions still work.
    _exit(musaGetLastError() != musaSuccess && musaPeekAtLastError() == musaSuccess ? 0 : 255);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Fork, EveryFunctionFailsInTheChildWhateverTheParentWasDoing) {
  const auto functions = functions_that_can_fail();
  ASSERT_GT(functions.size(), 200u);
  ASSERT_OK(musaDeviceSynchronize());  // The test is about children forked after the first use.
  // Locks held by other threads at the fork stay locked in the child forever.
  std::atomic<bool> stop{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      while (!stop) {
        void* memory = nullptr;
        musaStream_t stream = nullptr;
        EXPECT_OK(musaMallocAsync(&memory, 100, musaStreamPerThread));
        EXPECT_OK(musaMemsetAsync(memory, 1, 100, musaStreamPerThread));
        EXPECT_OK(musaFreeAsync(memory, musaStreamPerThread));
        EXPECT_OK(musaStreamCreate(&stream));
        EXPECT_OK(musaStreamDestroy(stream));
        EXPECT_OK(musaStreamSynchronize(musaStreamPerThread));
      }
    });
  }
  for (int round = 0; round < 10; ++round) {
    const int result = first_that_does_not_fail(functions);
    EXPECT_EQ(0, result) << (result > 0 && static_cast<size_t>(result) <= functions.size()
                                 ? functions[static_cast<size_t>(result) - 1].first
                                 : "hung, crashed or lost the error");
  }
  stop = true;
  for (std::thread& thread : busy) thread.join();
}

}  // namespace
