#include <unistd.h>

#include "child.h"
#include "support.h"

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
  // The parent goes on as before.
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
    // Unlike _exit, this runs exit handlers and the destructors of the thread's objects.
    std::exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
  EXPECT_EQ("0\n", run_helper("try-shared " + to_hex(handle)).output);
  EXPECT_OK(musaFree(memory));
}

}  // namespace
