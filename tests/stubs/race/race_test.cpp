// Many threads resolve the same symbols at once, under ThreadSanitizer. Exit status 0 if every
// result is right; a race ends the program with ThreadSanitizer's own status and report.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "tests/stubs/race/model.h"

int main() {
  constexpr int kThreads = 16;
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
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%d wrong results\n", wrong.load());
  return wrong == 0 ? 0 : 1;
}
