// What happens while kernels wait or run: many launches, unloading, another process.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>

#include "tests/kernel_libraries/program.h"

namespace {

using Running = Program;

TEST_F(Running, TenThousandLaunchesWait) {
  const KernelGate gate;
  const Stream stream(cudaStreamNonBlocking);
  const Buffer data(64 * sizeof(int));
  ASSERT_OK(start(&wait_for, {1, 1, 1}, {1, 1, 1}, 0, stream, gate.flags()));
  gate.wait_for_the_kernel();
  std::future<void> launches = std::async(std::launch::async, [&] {
    for (int i = 0; i < 10000; ++i) {
      ASSERT_OK(start(&add, {1, 1, 1}, {64, 1, 1}, 0, stream, data.bytes(), i % 3));
    }
  });
  // A device may take only so many at once. Then the launches go on when the gate opens.
  launches.wait_for(std::chrono::seconds(10));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  launches.get();
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(std::vector<int>(64, 9999), read<int>(data, 64));
}

// The kernel runs on. Only its address means nothing any more.
TEST_F(Running, CodeIsUnregistered) {
  const KernelGate gate;
  const Stream stream(cudaStreamNonBlocking);
  char kernel = 0;
  {
    const Module module;
    module.kernel(&kernel, "_Z8wait_forPi");
    ASSERT_OK(start(&kernel, {1, 1, 1}, {1, 1, 1}, 0, stream, gate.flags()));
    gate.wait_for_the_kernel();
  }
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, start(&kernel, gate.flags()));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
}

TEST_F(Running, LibrariesAreClosed) {
  for (int round = 0; round < 2; ++round) {
    const KernelGate gate;
    const Stream stream(cudaStreamNonBlocking);
    void* const library = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(nullptr, library) << dlerror();
    auto* const plugin_start = reinterpret_cast<cudaError_t (*)(void*, cudaStream_t, const void**)>(
        dlsym(library, "plugin_start"));
    ASSERT_NE(nullptr, plugin_start);
    const void* kernel = nullptr;
    ASSERT_OK(plugin_start(gate.flags(), stream, &kernel));
    gate.wait_for_the_kernel();
    ASSERT_EQ(0, dlclose(library));
    ASSERT_EQ(nullptr, dlopen(PLUGIN, RTLD_NOW | RTLD_NOLOAD)) << "it was not unloaded";
    EXPECT_ERROR(cudaErrorInvalidDeviceFunction, start(kernel, gate.flags()));
    EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
    gate.open();
    EXPECT_OK(cudaStreamSynchronize(stream));
  }
}

// Two processes have variables and faults of their own. Both have kernels in the memory that one
// shares.
class Processes : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(0, pipe2(ends_, O_CLOEXEC));
  }
  // In the child, where gtest does not report: 0, or the line that failed.
  static int work_in_child(int handles) {
#define REQUIRE(condition) \
  if (!(condition)) return __LINE__
    alarm(60);
    cudaIpcMemHandle_t handle{};
    REQUIRE(::read(handles, &handle, sizeof handle) == sizeof handle);
    void* memory = nullptr;
    REQUIRE(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess);
    for (int i = 0; i < 1000; ++i) {
      REQUIRE(start(&add, {1, 1, 1}, {64, 1, 1}, 0, nullptr, memory, 1) == cudaSuccess);
    }
    const int values[4] = {10, 20, 30, 40};
    REQUIRE(cudaMemcpyToSymbol(table, values, sizeof values, 0, cudaMemcpyHostToDevice) ==
            cudaSuccess);
    void* out = nullptr;
    int found = 0;
    REQUIRE(cudaMalloc(&out, sizeof found) == cudaSuccess);
    REQUIRE(start(&sum, out) == cudaSuccess);
    REQUIRE(cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(found == 600);
    REQUIRE(start(&trap, nullptr) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return 0;
#undef REQUIRE
  }

  int ends_[2] = {};
};

TEST_F(Processes, RunKernelsBesideEachOther) {
  const pid_t child = fork();  // Before CUDA is used.
  ASSERT_LE(0, child);
  if (child == 0) _exit(work_in_child(ends_[0]));
  const Buffer shared(64 * sizeof(int));
  const Buffer own(64 * sizeof(int));
  cudaIpcMemHandle_t handle{};
  ASSERT_OK(cudaIpcGetMemHandle(&handle, shared));
  ASSERT_EQ(static_cast<ssize_t>(sizeof handle), write(ends_[1], &handle, sizeof handle));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(start(&add, {1, 1, 1}, {64, 1, 1}, 0, nullptr, own.bytes(), 2));
    ASSERT_EQ(510, result_of(&sum));
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "line " << WEXITSTATUS(status);
  EXPECT_EQ(std::vector<int>(64, 1000), read<int>(shared, 64));
  EXPECT_EQ(std::vector<int>(64, 2000), read<int>(own, 64));
  EXPECT_OK(start(&add, {1, 1, 1}, {64, 1, 1}, 0, nullptr, shared.bytes(), 5));
  EXPECT_EQ(std::vector<int>(64, 1005), read<int>(shared, 64));
}

}  // namespace
