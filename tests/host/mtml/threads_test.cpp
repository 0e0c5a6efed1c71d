#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
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

// A page that nobody may write until a process has forked, or some time has passed.
class LatePage {
 public:
  LatePage() {
    struct sigaction action {};
    action.sa_handler = &let_write;
    EXPECT_EQ(0, sigaction(SIGSEGV, &action, &before_));
    touched = false;
    forked = false;
    place = mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(MAP_FAILED, place);
  }
  ~LatePage() {
    EXPECT_EQ(0, sigaction(SIGSEGV, &before_, nullptr));
    EXPECT_EQ(0, munmap(place, kSize));
  }
  LatePage(const LatePage&) = delete;
  LatePage& operator=(const LatePage&) = delete;

  static inline std::atomic<bool> touched;
  static inline std::atomic<bool> forked;
  static inline void* place;

 private:
  static constexpr std::size_t kSize = 65536;

  static void let_write(int) {
    touched = true;
    for (int i = 0; i < 500 && !forked; ++i) usleep(1000);
    if (mprotect(place, kSize, PROT_READ | PROT_WRITE) != 0) abort();
  }

  struct sigaction before_ {};
};

// The thread stands in the middle of the call while the process forks, unless fork() waits for it.
TEST(MtmlThreads, AChildOfForkFindsTheLogFree) {
  const LatePage page;
  std::thread asking([] {
    EXPECT_MTML(mtmlLogGetConfiguration(static_cast<MtmlLogConfiguration*>(LatePage::place)));
    // ThreadSanitizer calls a thread a leak that ended and that a child cannot join.
    while (!LatePage::forked) std::this_thread::yield();
  });
  while (!LatePage::touched) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    MtmlLogConfiguration found{};
    _exit(mtmlLogGetConfiguration(&found) == MTML_SUCCESS ? 0 : 1);
  }
  LatePage::forked = true;
  asking.join();
  int status = -1;
  EXPECT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

}  // namespace
