// Many threads at once. race/ has the same under ThreadSanitizer.
#include <dlfcn.h>
#include <stdio.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/stubs/probe_test.h"

namespace {

constexpr int kThreads = 64;

template <typename Body>
void race(Body body) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Race, ManyThreadsOneSymbol) {
  std::atomic<int> wrong{0};
  race([&](int i) {
    if (probe_add(i, 1) != i + 1) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Race, ManyThreadsAllSymbols) {
  std::atomic<int> wrong{0};
  race([&](int i) {
    for (int k = 0; k < 32; ++k) {
      const int n = (k + i) % 32;
      using Many = int (*)(int);
      char name[32];
      snprintf(name, sizeof name, "probe_many_%d", n);
      const auto many = reinterpret_cast<Many>(dlsym(RTLD_DEFAULT, name));
      if (!many || many(i) != i * 100 + n) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Race, LineIsPrintedOnce) {
  const std::string text = stderr_of([] { race([](int) { probe_refused(); }); });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

}  // namespace
