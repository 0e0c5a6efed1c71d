// Threads that share the work of one call (src/host/shared/workers), and what they are given of a
// batch (src/host/mublas/parallel.h).
#include "src/host/shared/workers/workers.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "src/host/mublas/parallel.h"

// By default ThreadSanitizer ends forked children that start threads.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace {

// In a child process, where nothing has read the variables yet. `cores` 0: all.
int count_in_child(const char* ours, const char* openmp, int cores) {
  const pid_t child = fork();
  if (child == 0) {
    ours == nullptr ? unsetenv("TORCHADA_HOST_THREADS") : setenv("TORCHADA_HOST_THREADS", ours, 1);
    openmp == nullptr ? unsetenv("OMP_NUM_THREADS") : setenv("OMP_NUM_THREADS", openmp, 1);
    cpu_set_t all;
    cpu_set_t some;
    CPU_ZERO(&some);
    sched_getaffinity(0, sizeof all, &all);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&some) < cores; ++core) {
      if (CPU_ISSET(core, &all)) CPU_SET(core, &some);
    }
    if (cores > 0) sched_setaffinity(0, sizeof some, &some);
    _exit(host::thread_count());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The first test, as thread_count() is read once.
TEST(Workers, TheCountIsTheUsersOrThatOfTheCores) {
  EXPECT_EQ(count_in_child("3", "5", 0), 3);
  EXPECT_EQ(count_in_child(nullptr, "5", 0), 5);
  EXPECT_EQ(count_in_child(nullptr, "6,2", 0), 6);
  EXPECT_EQ(count_in_child("0", "x", 1), 1);
  EXPECT_EQ(count_in_child(nullptr, nullptr, 1), 1);
  cpu_set_t cores;
  ASSERT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
  EXPECT_EQ(count_in_child("", nullptr, 0), CPU_COUNT(&cores));
}

bool calls_each_once(int count) {
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
  host::in_parallel(count, [&](int part) { ++calls[static_cast<std::size_t>(part)]; });
  for (const auto& one : calls) {
    if (one != 1) return false;
  }
  return true;
}

TEST(Workers, EachPartIsCalledOnceFromSeveralThreads) {
  setenv("TORCHADA_HOST_THREADS", "4", 1);
  ASSERT_EQ(host::thread_count(), 4);
  std::vector<std::thread> callers;
  std::atomic<bool> good{true};
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&good] {
      for (int count = 0; count < 200; ++count) {
        if (!calls_each_once(count)) good = false;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_TRUE(good);
}

TEST(Workers, OthersTakeTheirPart) {
  std::atomic<int> here{0};
  // Each part waits for the other: one thread alone would never end.
  host::in_parallel(2, [&](int) {
    ++here;
    while (here < 2) std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

TEST(Workers, APartMayDivideItsOwnWork) {
  std::atomic<int> parts{0};
  host::in_parallel(8, [&](int) { host::in_parallel(8, [&](int) { ++parts; }); });
  EXPECT_EQ(parts, 64);
}

// The number of members times that of the pieces is more than an int holds.
TEST(Workers, EveryMemberOfALargeBatchIsCalledOnce) {
  ASSERT_EQ(host::thread_count(), 4);
  constexpr int kCount = (1 << 27) + 1;
  constexpr int kCounted = 1 << 12;  // To count every member would take long.
  std::vector<std::atomic<int>> calls(kCount / kCounted + 1);
  host_mublas::for_each_member(kCount, 1000, [&](int i) {
    if (i % kCounted == 0) ++calls[static_cast<std::size_t>(i / kCounted)];
  });
  for (const auto& one : calls) ASSERT_EQ(one, 1) << "member " << (&one - calls.data()) * kCounted;
}

TEST(Workers, TheBlocksOfALongResultCoverIt) {
  for (const int parts : {1, 3, 8}) {
    const host_mublas::Grid grid(INT_MAX, 1, parts);
    std::int64_t rows = 0;
    for (int part = 0; part < grid.parts(); ++part) {
      const host_mublas::Block block = grid.block(part);
      EXPECT_EQ(block.row, rows);
      EXPECT_GT(block.rows, 0);
      rows += block.rows;
    }
    EXPECT_EQ(rows, INT_MAX) << parts << " parts";
  }
}

TEST(Workers, AChildHasItsOwn) {
  ASSERT_TRUE(calls_each_once(8));
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::atomic<int> here{0};
    host::in_parallel(2, [&](int) {
      ++here;
      while (here < 2) std::this_thread::yield();
    });
    _exit(calls_each_once(100) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Workers, APartWithoutMemoryFailsTheCall) {
  setenv("TORCHADA_HOST_THREADS", "4", 1);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> calls{0};
    const auto part = [&](int number) {
      ++calls;
      if (number % 3 == 1) throw std::bad_alloc();
    };
    EXPECT_THROW(host::in_parallel(8, part), std::bad_alloc);
    EXPECT_EQ(calls, 8);
  }
}

}  // namespace
