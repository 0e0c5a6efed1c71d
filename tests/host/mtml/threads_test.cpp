#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/host/mtml/support.h"

namespace {

// Opens everything, asks, and closes it; the number of calls that failed.
int use_once() {
  int failed = 0;
  const auto check = [&](MtmlReturn status) { failed += status == MTML_SUCCESS ? 0 : 1; };
  MtmlLibrary* library = nullptr;
  check(mtmlLibraryInit(&library));
  for (unsigned int index = 0; index < kDevices; ++index) {
    MtmlDevice* device = nullptr;
    MtmlMemory* memory = nullptr;
    MtmlGpu* gpu = nullptr;
    check(mtmlLibraryInitDeviceByIndex(library, index, &device));
    check(mtmlDeviceInitMemory(device, &memory));
    check(mtmlDeviceInitGpu(device, &gpu));
    unsigned long long bytes = 0;
    unsigned int percent = 0;
    char name[MTML_DEVICE_NAME_BUFFER_SIZE] = "";
    check(mtmlMemoryGetUsed(memory, &bytes));
    check(mtmlGpuGetUtilization(gpu, &percent));
    check(mtmlDeviceGetName(device, name, sizeof name));
    check(mtmlDeviceFreeGpu(gpu));
    check(mtmlDeviceFreeMemory(memory));
    check(mtmlLibraryFreeDevice(device));
  }
  check(mtmlLibraryShutDown(library));
  return failed;
}

TEST(MtmlThreads, ThirtyTwoOpenAskAndClose) {
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 32; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) failed += use_once();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, failed);
  MtmlDevice* device = nullptr;
  EXPECT_INVALID(mtmlLibraryInitDeviceByIndex(nullptr, 0, &device));
}

// Monitors are often started from a process whose other threads are just asking.
TEST(MtmlThreads, AChildOfForkCanAsk) {
  std::atomic<bool> stop{false};
  std::thread asking([&] {
    while (!stop) use_once();
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    ASSERT_NE(-1, child);
    if (child == 0) {
      alarm(20);
      MtmlLibrary* library = nullptr;
      unsigned int count = 0;
      const bool works = mtmlLibraryInit(&library) == MTML_SUCCESS &&
                         mtmlLibraryCountDevice(library, &count) == MTML_SUCCESS &&
                         count == kDevices;
      _exit(works ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(child, waitpid(child, &status, 0));
    EXPECT_EQ(0, status);
  }
  stop = true;
  asking.join();
}

}  // namespace
