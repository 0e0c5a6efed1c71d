// Records and callbacks that a program gets from our CUPTI, against the CPU stand-in.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/profiler/cuda_calls.h"
#include "tests/profiler/cupti_calls.h"

namespace {

using namespace witness;

// What has been returned in buffers, by kind.
std::mutex mutex;
std::map<std::uint32_t, std::vector<std::vector<std::uint8_t>>> records;
std::atomic<int> buffers_out{0};
std::atomic<std::size_t> buffer_size{1 << 15};
std::atomic<bool> gives_buffers{true};

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *most = 0;
  *size = gives_buffers ? buffer_size.load() : 0;
  *buffer = gives_buffers ? static_cast<std::uint8_t*>(std::aligned_alloc(8, *size)) : nullptr;
  if (*buffer) ++buffers_out;
}

void complete(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(mutex);
  void* record = nullptr;
  std::vector<std::uint8_t*> found;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == kSuccess) {
    found.push_back(static_cast<std::uint8_t*>(record));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::uint8_t* const end = i + 1 < found.size() ? found[i + 1] : buffer + valid;
    std::uint32_t kind = 0;
    std::memcpy(&kind, found[i], sizeof kind);
    records[kind].emplace_back(found[i], end);
  }
  std::free(buffer);
  --buffers_out;
}

template <typename Record>
std::vector<Record> all(std::uint32_t kind) {
  const std::lock_guard lock(mutex);
  std::vector<Record> out;
  for (const auto& bytes : records[kind]) {
    Record record;
    EXPECT_LE(sizeof record, bytes.size());
    std::memcpy(&record, bytes.data(), sizeof record);
    out.push_back(record);
  }
  return out;
}

std::string name_of(const Api& call, std::uint32_t domain = kRuntimeApi) {
  const char* name = "";
  EXPECT_EQ(kSuccess, cuptiGetCallbackName(domain, call.cbid, &name));
  return name;
}

class Profiler : public testing::Test {
 protected:
  void SetUp() override {
    records.clear();
    gives_buffers = true;
    ASSERT_EQ(0, cudaMalloc(&memory_, kBytes));
    ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(request, complete));
  }
  void TearDown() override {
    EXPECT_EQ(kSuccess, cuptiFinalize());
    EXPECT_EQ(0, buffers_out);
    EXPECT_EQ(0, cudaFree(memory_));
  }
  static void enable(std::initializer_list<std::uint32_t> kinds) {
    for (const std::uint32_t kind : kinds) ASSERT_EQ(kSuccess, cuptiActivityEnable(kind));
  }
  static void flush() { ASSERT_EQ(kSuccess, cuptiActivityFlushAll(1)); }
  static std::size_t dropped() {
    std::size_t count = 0;
    EXPECT_EQ(kSuccess, cuptiActivityGetNumDroppedRecords(nullptr, 0, &count));
    return count;
  }

  static constexpr std::size_t kBytes = 1 << 20;
  void* memory_ = nullptr;
  std::vector<char> host_ = std::vector<char>(kBytes);
};

std::uint64_t real_time() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

TEST_F(Profiler, calls_have_names_times_and_results) {
  enable({kRuntime});
  const std::uint64_t before = real_time();
  EXPECT_EQ(0, cudaMemset(memory_, 3, kBytes));
  EXPECT_EQ(1, cudaMemset(memory_, 3, kBytes + 1));  // cudaErrorInvalidValue
  EXPECT_EQ(0, cudaDeviceSynchronize());
  const std::uint64_t after = real_time();
  flush();
  const auto calls = all<Api>(kRuntime);
  ASSERT_EQ(3U, calls.size());
  EXPECT_EQ("cudaMemset_v3020", name_of(calls[0]));
  EXPECT_EQ("cudaMemset_v3020", name_of(calls[1]));
  EXPECT_EQ("cudaDeviceSynchronize_v3020", name_of(calls[2]));
  EXPECT_EQ(0U, calls[0].result);
  EXPECT_EQ(1U, calls[1].result);
  std::uint64_t last = before;
  for (const Api& call : calls) {
    EXPECT_LE(last, call.start);
    EXPECT_LE(call.start, call.end);
    EXPECT_EQ(static_cast<std::uint32_t>(getpid()), call.process);
    EXPECT_EQ(static_cast<std::uint32_t>(pthread_self()), call.thread);
    last = call.end;
  }
  EXPECT_LE(last, after);
  EXPECT_LT(calls[0].correlation, calls[1].correlation);
}

TEST_F(Profiler, copies_and_fills_lie_within_the_time_of_the_program) {
  enable({kRuntime, kMemcpy, kMemset});
  const std::uint64_t before = real_time();
  EXPECT_EQ(0, cudaMemset(memory_, 3, kBytes));
  EXPECT_EQ(0, cudaMemcpy(host_.data(), memory_, kBytes, 2));
  void* stream = nullptr;
  EXPECT_EQ(0, cudaStreamCreate(&stream));
  EXPECT_EQ(0, cudaMemcpyAsync(memory_, host_.data(), kBytes / 2, 1, stream));
  EXPECT_EQ(0, cudaStreamSynchronize(stream));
  EXPECT_EQ(0, cudaDeviceSynchronize());
  flush();
  const std::uint64_t after = real_time();
  const auto sets = all<Set>(kMemset);
  const auto copies = all<Copy>(kMemcpy);
  const auto calls = all<Api>(kRuntime);
  ASSERT_EQ(1U, sets.size());
  ASSERT_EQ(2U, copies.size());
  ASSERT_EQ(6U, calls.size());
  EXPECT_EQ(3U, sets[0].value);
  EXPECT_EQ(kBytes, sets[0].bytes);
  EXPECT_EQ(kDeviceToHost, copies[0].direction);
  EXPECT_EQ(kDevice, copies[0].from);
  EXPECT_EQ(kPageable, copies[0].to);
  EXPECT_EQ(kHostToDevice, copies[1].direction);
  EXPECT_EQ(kBytes / 2, copies[1].bytes);
  EXPECT_EQ(0, copies[0].flags);
  EXPECT_EQ(1, copies[1].flags);
  EXPECT_NE(copies[0].stream, copies[1].stream);
  EXPECT_EQ(calls[0].correlation, sets[0].correlation);
  EXPECT_EQ(calls[1].correlation, copies[0].correlation);
  EXPECT_EQ(calls[3].correlation, copies[1].correlation);
  for (const auto& [start, end] :
       {std::pair(sets[0].start, sets[0].end), std::pair(copies[0].start, copies[0].end),
        std::pair(copies[1].start, copies[1].end)}) {
    EXPECT_LE(before, start);
    EXPECT_LE(start, end);
    EXPECT_LE(end, after);
  }
  EXPECT_EQ(0, cudaStreamDestroy(stream));
}

TEST_F(Profiler, kernels_have_their_names_and_shapes) {
  void* module = nullptr;
  void* function = nullptr;
  ASSERT_EQ(0, cuModuleLoad(&module, IMAGES "saxpy.image"));
  ASSERT_EQ(0, cuModuleGetFunction(&function, module, "_Z5saxpyfPKfPfi"));
  enable({kDriver, kConcurrentKernel});
  float factor = 2;
  void* other = static_cast<float*>(memory_) + 1024;
  int count = 256;
  void* parameters[] = {&factor, &memory_, &other, &count};
  EXPECT_EQ(0, cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(0, cuModuleUnload(module));
  flush();
  const auto kernels = all<Kernel>(kConcurrentKernel);
  const auto calls = all<Api>(kDriver);
  ASSERT_EQ(1U, kernels.size());
  ASSERT_EQ(2U, calls.size());
  EXPECT_EQ("cuLaunchKernel", name_of(calls[0], kDriverApi));
  EXPECT_EQ(calls[0].correlation, kernels[0].correlation);
  EXPECT_STREQ("_Z5saxpyfPKfPfi", kernels[0].name);
  EXPECT_EQ(4, kernels[0].grid[0]);
  EXPECT_EQ(1, kernels[0].grid[1]);
  EXPECT_EQ(64, kernels[0].block[0]);
  EXPECT_LE(kernels[0].start, kernels[0].end);
}

TEST_F(Profiler, external_numbers_belong_to_the_calls_of_their_thread) {
  enable({kRuntime, kExternalCorrelation});
  ASSERT_EQ(kSuccess, cuptiActivityPushExternalCorrelationId(kCustomExternal, 7));
  ASSERT_EQ(kSuccess, cuptiActivityPushExternalCorrelationId(kCustomExternal, 8));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  std::thread([&] { EXPECT_EQ(0, cudaMemset(memory_, 0, 16)); }).join();
  std::uint64_t id = 0;
  EXPECT_EQ(kSuccess, cuptiActivityPopExternalCorrelationId(kCustomExternal, &id));
  EXPECT_EQ(8U, id);
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  EXPECT_EQ(kSuccess, cuptiActivityPopExternalCorrelationId(kCustomExternal, &id));
  EXPECT_EQ(kQueueEmpty, cuptiActivityPopExternalCorrelationId(kCustomExternal, &id));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  const auto calls = all<Api>(kRuntime);
  const auto externals = all<External>(kExternalCorrelation);
  ASSERT_EQ(4U, calls.size());
  ASSERT_EQ(2U, externals.size());
  EXPECT_EQ(8U, externals[0].id);
  EXPECT_EQ(calls[0].correlation, externals[0].correlation);
  EXPECT_EQ(7U, externals[1].id);
  EXPECT_EQ(calls[2].correlation, externals[1].correlation);
}

TEST_F(Profiler, what_nobody_asked_for_is_not_recorded) {
  enable({kRuntime});
  ASSERT_EQ(kSuccess, cuptiActivityDisable(kRuntime));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_TRUE(records.empty());
}

TEST_F(Profiler, no_buffers_means_dropped_records) {
  enable({kRuntime});
  gives_buffers = false;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_EQ(5U, dropped());
  EXPECT_EQ(0U, dropped());
  EXPECT_TRUE(records.empty());
}

TEST_F(Profiler, each_of_many_records_is_returned_or_dropped) {
  constexpr int kThreads = 32;
  constexpr int kCalls = 2000;
  enable({kRuntime, kMemset});
  buffer_size = 4096;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) cudaMemset(memory_, call, 16);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, cudaDeviceSynchronize());
  flush();
  buffer_size = 1 << 15;
  const std::size_t count = records[kRuntime].size() + records[kMemset].size() + dropped();
  EXPECT_EQ(std::size_t{kThreads} * kCalls * 2 + 1, count);
}

struct Seen {
  std::vector<std::string> sites;
  std::uint64_t own = 0;
  std::size_t bytes = 0;
  int nested = 0;
};

void on_call(void* data, std::uint32_t domain, std::uint32_t, const void* details) {
  auto& seen = *static_cast<Seen*>(data);
  const auto& call = *static_cast<const CallbackData*>(details);
  if (domain != kRuntimeApi) return;
  seen.sites.push_back(std::string(call.function) + (call.site == 0 ? " begins" : " ends"));
  if (std::string(call.function) != "cudaMemset") return;
  if (call.site == 0) {
    *call.own = 99;
    std::memcpy(&seen.bytes, static_cast<const char*>(call.parameters) + 16, sizeof seen.bytes);
  } else {
    seen.own = *call.own;
    EXPECT_EQ(0, *static_cast<int*>(call.result));
  }
  int device = -1;
  EXPECT_EQ(0, cudaGetDevice(&device));  // Not seen: it is not the program's.
  ++seen.nested;
}

TEST_F(Profiler, callbacks_come_before_and_after_a_call) {
  Seen seen;
  void* subscriber = nullptr;
  void* other = nullptr;
  ASSERT_EQ(kSuccess, cuptiSubscribe(&subscriber, on_call, &seen));
  EXPECT_EQ(kSubscribedAlready, cuptiSubscribe(&other, on_call, &seen));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  EXPECT_TRUE(seen.sites.empty());
  ASSERT_EQ(kSuccess, cuptiEnableDomain(1, subscriber, kRuntimeApi));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 48));
  EXPECT_EQ((std::vector<std::string>{"cudaMemset begins", "cudaMemset ends"}), seen.sites);
  EXPECT_EQ(99U, seen.own);
  EXPECT_EQ(48U, seen.bytes);
  EXPECT_EQ(2, seen.nested);
  ASSERT_EQ(kSuccess, cuptiUnsubscribe(subscriber));
  EXPECT_EQ(kInvalidParameter, cuptiUnsubscribe(subscriber));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  EXPECT_EQ(2U, seen.sites.size());
}

TEST_F(Profiler, a_program_subscribes_beside_calls_of_other_threads) {
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      while (!ends) EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
    });
  }
  for (int i = 0; i < 50; ++i) {
    static Seen unused;
    void* subscriber = nullptr;
    ASSERT_EQ(kSuccess,
              cuptiSubscribe(
                  &subscriber, [](void*, std::uint32_t, std::uint32_t, const void*) {}, &unused));
    ASSERT_EQ(kSuccess, cuptiEnableDomain(1, subscriber, kRuntimeApi));
    enable({kRuntime, kMemset});
    flush();
    ASSERT_EQ(kSuccess, cuptiFinalize());
    ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(request, complete));
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Profiler, wrong_arguments_are_refused) {
  EXPECT_EQ(kInvalidKind, cuptiActivityEnable(0));
  EXPECT_EQ(kInvalidKind, cuptiActivityEnable(4000));
  EXPECT_EQ(kInvalidParameter, cuptiActivityRegisterCallbacks(nullptr, complete));
  EXPECT_EQ(kInvalidParameter, cuptiGetTimestamp(nullptr));
  EXPECT_EQ(kInvalidParameter, cuptiSubscribe(nullptr, on_call, nullptr));
  void* record = nullptr;
  std::uint8_t nothing[8] = {};
  EXPECT_EQ(kMaxLimitReached, cuptiActivityGetNextRecord(nothing, 0, &record));
  const char* name = nullptr;
  EXPECT_EQ(kInvalidParameter, cuptiGetCallbackName(kRuntimeApi, 100000, &name));
}

std::uint64_t ticks() { return 1000 + real_time() / 10; }

TEST_F(Profiler, the_program_gives_the_clock) {
  ASSERT_EQ(kSuccess, cuptiActivityRegisterTimestampCallback(ticks));
  enable({kMemset});
  const std::uint64_t before = ticks();
  EXPECT_EQ(0, cudaMemset(memory_, 0, kBytes));
  EXPECT_EQ(0, cudaDeviceSynchronize());
  flush();
  const std::uint64_t after = ticks();
  const auto sets = all<Set>(kMemset);
  ASSERT_EQ(1U, sets.size());
  EXPECT_LE(before, sets[0].start);
  EXPECT_LE(sets[0].start, sets[0].end);
  EXPECT_LE(sets[0].end, after);
}

TEST_F(Profiler, a_child_of_fork_records_nothing) {
  enable({kRuntime});
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  const pid_t child = fork();
  if (child == 0) {
    int device = 0;
    cudaGetDevice(&device);
    cuptiActivityFlushAll(1);
    _exit(records.empty() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  flush();
  EXPECT_EQ(1U, records[kRuntime].size());
}

}  // namespace
