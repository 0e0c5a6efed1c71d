// Memory stays mapped while anything uses it.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/host/musart/support.h"

namespace {

constexpr size_t kSize = 5000;

struct Work {
  char* memory = nullptr;
  std::atomic<bool> started{false};
  std::atomic<bool> go{false};
  std::atomic<bool> done{false};
};

// Writes to memory directly, as a matrix product does, after a signal.
void write_when_told(void* argument) {
  auto* const work = static_cast<Work*>(argument);
  work->started = true;
  while (!work->go) std::this_thread::yield();
  for (size_t i = 0; i < kSize; ++i) work->memory[i] = static_cast<char>(i % 251);
  work->done = true;
}

void tell_soon(Work* work) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work->go = true;
}

class Lifetime : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking)); }
  void TearDown() override { EXPECT_OK(musaStreamDestroy(stream_)); }
  void start(void* memory) {
    work_.memory = static_cast<char*>(memory);
    ASSERT_OK(musaLaunchHostFunc(stream_, write_when_told, &work_));
    while (!work_.started) std::this_thread::yield();
  }
  musaStream_t stream_ = nullptr;
  Work work_;
};

TEST_F(Lifetime, musaFree_waits_for_work_of_every_stream) {
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, kSize));
  start(memory);
  std::thread other(tell_soon, &work_);
  EXPECT_OK(musaFree(memory));
  EXPECT_TRUE(work_.done);
  EXPECT_FALSE(is_readable(memory));
  other.join();
}

TEST_F(Lifetime, musaFreeHost_waits_for_work_of_every_stream) {
  void* memory = nullptr;
  ASSERT_OK(musaMallocHost(&memory, kSize));
  start(memory);
  std::thread other(tell_soon, &work_);
  EXPECT_OK(musaFreeHost(memory));
  EXPECT_TRUE(work_.done);
  EXPECT_FALSE(is_readable(memory));
  other.join();
}

TEST_F(Lifetime, musaHostUnregister_waits_for_work_of_every_stream) {
  std::vector<char> memory(kSize);
  ASSERT_OK(musaHostRegister(memory.data(), kSize, 0));
  start(memory.data());
  std::thread other(tell_soon, &work_);
  EXPECT_OK(musaHostUnregister(memory.data()));
  EXPECT_TRUE(work_.done);
  other.join();
}

TEST_F(Lifetime, musaDeviceReset_waits_for_work_of_every_stream) {
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, kSize));
  start(memory);
  std::thread other(tell_soon, &work_);
  EXPECT_OK(musaDeviceReset());
  EXPECT_TRUE(work_.done);
  EXPECT_FALSE(is_readable(memory));
  EXPECT_ERROR(musaErrorInvalidValue, musaFree(memory));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamQuery(stream_));
  other.join();
  ASSERT_OK(musaStreamCreate(&stream_));
}

// A free in another stream, not ordered after the work: a mistake of the program, but it must not
// crash.
TEST_F(Lifetime, musaFreeAsync_keeps_the_pages_of_a_function_that_still_runs) {
  musaStream_t freeing = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&freeing, musaStreamNonBlocking));
  void* memory = nullptr;
  ASSERT_OK(musaMallocAsync(&memory, kSize, freeing));
  start(memory);
  ASSERT_OK(musaFreeAsync(memory, freeing));
  ASSERT_OK(musaStreamSynchronize(freeing));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(memory, 0, 1));
  EXPECT_TRUE(is_readable(memory));
  work_.go = true;
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_TRUE(work_.done);
  EXPECT_FALSE(is_readable(memory));
  EXPECT_OK(musaStreamDestroy(freeing));
}

TEST_F(Lifetime, FunctionsThatStartLaterDoNotHoldMemoryBack) {
  musaStream_t freeing = nullptr;
  musaStream_t later = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&freeing, musaStreamNonBlocking));
  ASSERT_OK(musaStreamCreateWithFlags(&later, musaStreamNonBlocking));
  void* memory = nullptr;
  ASSERT_OK(musaMallocAsync(&memory, kSize, freeing));
  start(memory);
  ASSERT_OK(musaFreeAsync(memory, freeing));
  ASSERT_OK(musaStreamSynchronize(freeing));
  Barrier barrier;
  barrier.hold(later);
  work_.go = true;
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_FALSE(is_readable(memory));
  barrier.open();
  EXPECT_OK(musaStreamDestroy(later));
  EXPECT_OK(musaStreamDestroy(freeing));
}

TEST_F(Lifetime, musaMemPoolTrimTo_keeps_the_pages_of_a_function_that_still_runs) {
  musaMemPool_t pool = nullptr;
  ASSERT_OK(musaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t threshold = UINT64_MAX;
  ASSERT_OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  void* memory = nullptr;
  ASSERT_OK(musaMallocAsync(&memory, kSize, nullptr));
  ASSERT_OK(musaFreeAsync(memory, nullptr));
  ASSERT_OK(musaStreamSynchronize(nullptr));
  EXPECT_TRUE(is_readable(memory));
  start(memory);
  ASSERT_OK(musaMemPoolTrimTo(pool, 0));
  EXPECT_TRUE(is_readable(memory));
  work_.go = true;
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_FALSE(is_readable(memory));
  threshold = 0;
  ASSERT_OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
}

// The export does not wait for a running function, whose later writes must still be shared.
TEST_F(Lifetime, musaIpcGetMemHandle_does_not_wait_and_loses_nothing) {
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, kSize));
  start(memory);
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  EXPECT_FALSE(work_.done);
  work_.go = true;
  ASSERT_OK(musaStreamSynchronize(stream_));
  const Outcome run = run_helper("use-shared " + to_hex(handle) + " " + std::to_string(kSize));
  EXPECT_EQ(0, run.status) << run.output;
  EXPECT_OK(musaFree(memory));
}

}  // namespace
