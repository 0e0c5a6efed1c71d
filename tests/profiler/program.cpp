#include "tests/profiler/program.h"

#include <cstdlib>
#include <ctime>
#include <thread>

namespace witness {

std::mutex mutex;
std::map<std::uint32_t, std::vector<std::vector<std::uint8_t>>> records;
std::atomic<std::size_t> buffer_size, most_records;
std::atomic<bool> gives_buffers;

namespace {

constexpr std::size_t kUsualSize = 1 << 15;

std::atomic<int> buffers_out{0};

}  // namespace

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *most = most_records;
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

std::string name_of(const Api& call, std::uint32_t domain) {
  const char* name = "";
  EXPECT_EQ(kSuccess, cuptiGetCallbackName(domain, call.cbid, &name));
  return name;
}

std::uint64_t real_time() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

void Profiler::SetUp() {
  records.clear();
  gives_buffers = true;
  buffer_size = kUsualSize;
  most_records = 0;
  ASSERT_EQ(0, cudaMalloc(&memory_, kBytes));
  ASSERT_EQ(kSuccess, cuptiActivityRegisterCallbacks(request, complete));
}

void Profiler::TearDown() {
  EXPECT_EQ(kSuccess, cuptiFinalize());
  EXPECT_EQ(0, buffers_out);
  EXPECT_EQ(0U, dropped());
  EXPECT_EQ(0, cudaFree(memory_));
}

void Profiler::enable(std::initializer_list<std::uint32_t> kinds) {
  for (const std::uint32_t kind : kinds) ASSERT_EQ(kSuccess, cuptiActivityEnable(kind));
}

void Profiler::flush() { ASSERT_EQ(kSuccess, cuptiActivityFlushAll(1)); }

std::size_t Profiler::dropped() {
  std::size_t count = 0;
  EXPECT_EQ(kSuccess, cuptiActivityGetNumDroppedRecords(nullptr, 0, &count));
  return count;
}

void Profiler::fill(int threads, int calls) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, own = static_cast<char*>(memory_) + 16 * i] {
      for (int call = 0; call < calls; ++call) EXPECT_EQ(0, cudaMemset(own, call, 16));
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(0, cudaDeviceSynchronize());
}

}  // namespace witness
