// What becomes of records when there are many, and when the program has no room for them: each is
// returned, or counted as dropped.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/profiler/program.h"

namespace {

using namespace witness;

#ifdef __SANITIZE_THREAD__
constexpr int kSlower = 25;
#else
constexpr int kSlower = 1;
#endif

std::size_t returned() { return records[kRuntime].size() + records[kMemset].size(); }

TEST_F(Profiler, no_buffers_means_dropped_records) {
  enable({kRuntime});
  gives_buffers = false;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_EQ(5U, dropped());
  EXPECT_EQ(0U, dropped());
  EXPECT_TRUE(records.empty());
}

TEST_F(Profiler, without_functions_for_buffers_records_are_dropped) {
  ASSERT_EQ(kSuccess, cuptiFinalize());
  enable({kRuntime});
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_EQ(1U, dropped());
  EXPECT_TRUE(records.empty());
}

// Only counts: a million records would take some 100 MB.
std::vector<std::uint32_t> correlations_of_calls, correlations_of_fills;

void count(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(mutex);
  void* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == kSuccess) {
    if (static_cast<const Api*>(record)->kind == kRuntime) {
      correlations_of_calls.push_back(static_cast<const Api*>(record)->correlation);
    } else {
      correlations_of_fills.push_back(static_cast<const Set*>(record)->correlation);
    }
  }
  std::free(buffer);
}

bool has_equal(std::vector<std::uint32_t>* numbers) {
  std::sort(numbers->begin(), numbers->end());
  return std::adjacent_find(numbers->begin(), numbers->end()) != numbers->end();
}

TEST_F(Profiler, a_million_records_of_32_threads_are_returned) {
  constexpr int kThreads = 32;
  constexpr int kCalls = 15'625 / kSlower;
  const auto ask = [](std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *most = 0;
    *size = 1 << 14;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  };
  ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(ask, count));
  enable({kRuntime, kMemset});
  fill(kThreads, kCalls);
  flush();
  EXPECT_EQ(std::size_t{kThreads} * kCalls + 1, correlations_of_calls.size());
  EXPECT_EQ(std::size_t{kThreads} * kCalls, correlations_of_fills.size());
  EXPECT_FALSE(has_equal(&correlations_of_calls));
  EXPECT_FALSE(has_equal(&correlations_of_fills));
  ASSERT_EQ(kSuccess, cuptiActivityDisable(kMemset));
  ASSERT_EQ(kSuccess, cuptiActivityDisable(kRuntime));
}

TEST_F(Profiler, a_program_that_has_buffers_at_times) {
  constexpr int kCalls = 100'000 / kSlower;
  enable({kRuntime, kMemset});
  std::atomic<bool> ends{false};
  std::thread changing([&] {
    while (!ends) {
      gives_buffers = !gives_buffers;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  fill(4, kCalls / 4);
  ends = true;
  changing.join();
  gives_buffers = true;
  flush();
  EXPECT_EQ(std::size_t{kCalls} * 2 + 1, returned() + dropped());
}

TEST_F(Profiler, buffers_that_are_too_small) {
  enable({kRuntime});
  buffer_size = sizeof(Api) - 8;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_TRUE(records.empty());
  EXPECT_EQ(5U, dropped());
  // Not even one that is no multiple of a record's size loses one.
  buffer_size = 2 * sizeof(Api) + 8;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_EQ(5U, returned() + dropped());
}

TEST_F(Profiler, buffers_for_one_record) {
  enable({kRuntime});
  most_records = 1;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_EQ(5U, returned());
}

// As PyTorch does: the function only keeps the buffer, and the records are read later, even after
// the last call to CUPTI.
std::vector<std::tuple<std::uint8_t*, std::size_t, std::size_t>> kept;

TEST_F(Profiler, records_can_be_read_later) {
  const auto keep = [](void*, std::uint32_t, std::uint8_t* buffer, std::size_t size,
                       std::size_t valid) {
    const std::lock_guard lock(mutex);
    kept.emplace_back(buffer, size, valid);
  };
  constexpr int kCalls = 40'000 / kSlower;
  ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(request, keep));
  enable({kRuntime, kMemset});
  fill(4, kCalls / 4);
  flush();
  ASSERT_EQ(kSuccess, cuptiFinalize());
  for (const auto& [buffer, size, valid] : kept) complete(nullptr, 0, buffer, size, valid);
  EXPECT_EQ(std::size_t{kCalls} * 2 + 1, returned() + dropped());
}

TEST_F(Profiler, a_slow_program_holds_nobody_up) {
  static std::atomic<bool> was_slow{false}, is_slow{false};
  const auto wait = [](void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                       std::size_t valid) {
    if (!was_slow.exchange(true)) {
      is_slow = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      is_slow = false;
    }
    complete(context, stream, buffer, size, valid);
  };
  ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(request, wait));
  enable({kRuntime});
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  std::thread flushing([] { flush(); });
  while (!is_slow) std::this_thread::yield();
  std::size_t calls = 1;
  for (; is_slow; ++calls) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flushing.join();
  EXPECT_GT(calls, 2U);
  flush();
  EXPECT_EQ(calls, returned());
}

}  // namespace
