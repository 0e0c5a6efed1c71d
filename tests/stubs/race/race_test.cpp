// Many threads resolve the same symbols at once, under ThreadSanitizer. Exit status 0 if every
// result is right; a race ends the program with ThreadSanitizer's own status and report.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/stubs/race/model.h"

namespace {

// Stands for the environment, because ThreadSanitizer does not see into the C library: setenv
// writes it, and a thread whose call has returned reads it.
int environment_version = 0;

}  // namespace

extern "C" int setenv(const char* name, const char* value, int overwrite) noexcept {
  using Setenv = int (*)(const char*, const char*, int);
  ++environment_version;
  usleep(1000);  // Long enough for the others to come here, if nothing keeps them.
  return reinterpret_cast<Setenv>(dlsym(RTLD_NEXT, "setenv"))(name, value, overwrite);
}

int main() {
  constexpr int kThreads = 16;
  setenv("RACE_DEVICES", "1", 1);
  setenv("RACE_NET_DEBUG", "INFO", 1);
  std::atomic<int> ready{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      // Relaxed, so that the starting line does not itself provide the ordering under test.
      ready.fetch_add(1, std::memory_order_relaxed);
      while (ready.load(std::memory_order_relaxed) < kThreads) std::this_thread::yield();
      for (int k = 0; k < kFunctions; ++k) {
        const int n = (k + i * 7) % kFunctions;
        for (int again = 0; again < 2; ++again) {
          if (call_through_slot(n, i) != i * 100 + n) ++wrong;
          // MUSA is open now, so the environment is MUSA's to read: two writes here, two there.
          if (environment_version != 4) ++wrong;
        }
      }
    });
  }
  // Slots are put back meanwhile, and once more after the last.
  for (int i = 0; i < 200; ++i) observe_calls(i % 2 == 0);
  for (std::thread& thread : threads) thread.join();
  std::printf("%d wrong results\n", wrong.load());
  return wrong == 0 ? 0 : 1;
}
