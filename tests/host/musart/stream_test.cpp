#include <atomic>
#include <memory>
#include <thread>

#include "tests/host/musart/support.h"

namespace {

class TestStream {
 public:
  explicit TestStream(unsigned int flags = musaStreamDefault) {
    EXPECT_OK(musaStreamCreateWithFlags(&stream_, flags));
  }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  ~TestStream() { EXPECT_OK(musaStreamDestroy(stream_)); }
  operator musaStream_t() const { return stream_; }

 private:
  musaStream_t stream_ = nullptr;
};

// Appends to a list from streams.
class Log {
 public:
  void add(musaStream_t stream, char mark) {
    auto* const entry = new Entry{this, mark};
    EXPECT_OK(musaLaunchHostFunc(
        stream,
        [](void* argument) {
          const std::unique_ptr<Entry> mine(static_cast<Entry*>(argument));
          const std::lock_guard lock(mine->log->mutex_);
          mine->log->marks_ += mine->mark;
        },
        entry));
  }
  std::string marks() {
    const std::lock_guard lock(mutex_);
    return marks_;
  }

 private:
  struct Entry {
    Log* log;
    char mark;
  };
  std::mutex mutex_;
  std::string marks_;
};

TEST(Stream, KeepsOrderAndDoesNotBlockTheCaller) {
  TestStream stream;
  Log log;
  Barrier barrier;
  barrier.hold(stream);
  for (const char mark : std::string("abcdefgh")) log.add(stream, mark);
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream));
  EXPECT_EQ("", log.marks());
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ("abcdefgh", log.marks());
  EXPECT_OK(musaStreamQuery(stream));
}

TEST(Stream, StreamsAreIndependent) {
  TestStream held;
  TestStream other;
  Log log;
  Barrier barrier;
  barrier.hold(held);
  log.add(other, 'x');
  EXPECT_OK(musaStreamSynchronize(other));
  EXPECT_EQ("x", log.marks());
}

TEST(Stream, LegacyWaitsForBlockingStreams) {
  TestStream stream;
  Log log;
  Barrier barrier;
  barrier.hold(stream);
  log.add(stream, 'a');
  log.add(nullptr, 'b');
  log.add(musaStreamLegacy, 'c');
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(nullptr));
  EXPECT_EQ("", log.marks());
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(musaStreamLegacy));
  EXPECT_EQ("abc", log.marks());
}

TEST(Stream, BlockingStreamsWaitForLegacy) {
  TestStream stream;
  Log log;
  Barrier barrier;
  barrier.hold(nullptr);
  log.add(stream, 'b');
  log.add(nullptr, 'a');
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream));
  barrier.open();
  EXPECT_OK(musaDeviceSynchronize());
  // 'a' was submitted after 'b', so it runs after it.
  EXPECT_EQ("ba", log.marks());
}

TEST(Stream, NonBlockingStreamsIgnoreLegacy) {
  TestStream stream(musaStreamNonBlocking);
  Log log;
  Barrier barrier;
  barrier.hold(nullptr);
  log.add(stream, 'a');
  EXPECT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ("a", log.marks());
  barrier.open();

  Barrier second;
  second.hold(stream);
  log.add(nullptr, 'b');
  EXPECT_OK(musaStreamSynchronize(nullptr));
  EXPECT_EQ("ab", log.marks());
}

TEST(Stream, SynchronousCallsFollowLegacyRules) {
  void* memory = nullptr;
  void* pinned = nullptr;
  ASSERT_OK(musaMalloc(&memory, 1));
  ASSERT_OK(musaMallocHost(&pinned, 1));
  TestStream stream;
  Barrier barrier;
  barrier.hold(stream);
  ASSERT_OK(musaMemsetAsync(memory, 9, 1, stream));
  std::thread opener([&] { barrier.open(); });
  unsigned char value = 0;
  ASSERT_OK(musaMemcpy(&value, memory, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(9, value);
  opener.join();

  // A fill of device memory is queued behind the blocking stream, and the call does not wait.
  Barrier second;
  second.hold(stream);
  ASSERT_OK(musaMemset(memory, 7, 1));
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(nullptr));
  second.open();
  ASSERT_OK(musaMemcpy(&value, memory, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(7, value);
  EXPECT_OK(musaFree(memory));
  EXPECT_OK(musaFreeHost(pinned));
}

TEST(Stream, EveryThreadHasItsOwnDefaultStream) {
  Log log;
  Barrier barrier;
  barrier.hold(musaStreamPerThread);
  unsigned long long mine = 0;
  EXPECT_OK(musaStreamGetId(musaStreamPerThread, &mine));
  std::thread([&] {
    unsigned long long theirs = 0;
    EXPECT_OK(musaStreamGetId(musaStreamPerThread, &theirs));
    EXPECT_NE(mine, theirs);
    log.add(musaStreamPerThread, 'a');
    EXPECT_OK(musaStreamSynchronize(musaStreamPerThread));
  }).join();
  EXPECT_EQ("a", log.marks());
  // Both are ordered with the legacy stream.
  log.add(nullptr, 'b');
  EXPECT_EQ("a", log.marks());
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(nullptr));
  EXPECT_EQ("ab", log.marks());
}

TEST(Stream, WorkOfAThreadThatEndedIsStillDone) {
  Log log;
  Barrier barrier;
  std::thread([&] {
    barrier.hold(musaStreamPerThread);
    log.add(musaStreamPerThread, 'a');
  }).join();
  barrier.open();
  EXPECT_OK(musaDeviceSynchronize());
  EXPECT_EQ("a", log.marks());
}

TEST(Stream, WaitsForEventsOfOtherStreams) {
  TestStream first;
  TestStream second;
  Log log;
  Barrier barrier;
  musaEvent_t event = nullptr;
  ASSERT_OK(musaEventCreate(&event));
  barrier.hold(first);
  log.add(first, 'a');
  ASSERT_OK(musaEventRecord(event, first));
  ASSERT_OK(musaStreamWaitEvent(second, event));
  log.add(second, 'b');
  // Later recordings, or destroying the event, do not change what the stream waits for.
  ASSERT_OK(musaEventRecord(event, second));
  ASSERT_OK(musaEventDestroy(event));
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(second));
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(second));
  EXPECT_EQ("ab", log.marks());
}

TEST(Stream, WaitingForNothing) {
  TestStream stream;
  musaEvent_t event = nullptr;
  ASSERT_OK(musaEventCreate(&event));
  EXPECT_OK(musaStreamWaitEvent(stream, event));
  EXPECT_OK(musaStreamSynchronize(stream));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamWaitEvent(stream, event, 2));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamWaitEvent(stream, nullptr));
  EXPECT_OK(musaEventDestroy(event));
}

TEST(Stream, DestroyedStreamsFinishTheirWork) {
  Log log;
  Barrier barrier;
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  barrier.hold(stream);
  log.add(stream, 'a');
  ASSERT_OK(musaStreamDestroy(stream));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamQuery(stream));
  barrier.open();
  EXPECT_OK(musaDeviceSynchronize());
  EXPECT_EQ("a", log.marks());
}

TEST(Stream, Callback) {
  struct Seen {
    std::atomic<musaStream_t> stream{nullptr};
    std::atomic<int> status{-1};
  } seen;
  TestStream stream;
  ASSERT_OK(musaStreamAddCallback(
      stream,
      [](musaStream_t in, musaError_t status, void* data) {
        static_cast<Seen*>(data)->stream = in;
        static_cast<Seen*>(data)->status = status;
      },
      &seen, 0));
  ASSERT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ(static_cast<musaStream_t>(stream), seen.stream.load());
  EXPECT_EQ(musaSuccess, seen.status.load());
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamAddCallback(stream, nullptr, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamAddCallback(
                   stream, [](musaStream_t, musaError_t, void*) {}, nullptr, 1));
}

TEST(Stream, HostFunctionsCannotWait) {
  struct Seen {
    std::atomic<int> stream{-1};
    std::atomic<int> free{-1};
    void* memory = nullptr;
  } seen;
  ASSERT_OK(musaMalloc(&seen.memory, 1));
  TestStream stream;
  ASSERT_OK(musaLaunchHostFunc(
      stream,
      [](void* data) {
        static_cast<Seen*>(data)->stream = musaStreamSynchronize(nullptr);
        static_cast<Seen*>(data)->free = musaFree(static_cast<Seen*>(data)->memory);
      },
      &seen));
  ASSERT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ(musaErrorNotPermitted, seen.stream.load());
  EXPECT_EQ(musaErrorNotPermitted, seen.free.load());
  EXPECT_OK(musaFree(seen.memory));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchHostFunc(stream, nullptr, nullptr));
}

TEST(Stream, WhatItWasMadeWith) {
  int least = -9;
  int greatest = 9;
  EXPECT_OK(musaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(0, least);
  EXPECT_LE(greatest, -1);
  EXPECT_OK(musaDeviceGetStreamPriorityRange(nullptr, nullptr));
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithPriority(&stream, musaStreamNonBlocking, -100));
  int priority = 9;
  unsigned int flags = 9;
  int device = 9;
  EXPECT_OK(musaStreamGetPriority(stream, &priority));
  EXPECT_OK(musaStreamGetFlags(stream, &flags));
  EXPECT_OK(musaStreamGetDevice(stream, &device));
  EXPECT_EQ(greatest, priority);
  EXPECT_EQ(static_cast<unsigned>(musaStreamNonBlocking), flags);
  EXPECT_EQ(0, device);
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamGetPriority(stream, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamGetFlags(stream, nullptr));
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamGetFlags(stream, &flags));
  EXPECT_OK(musaStreamGetFlags(nullptr, &flags));
}

TEST(Stream, BadArguments) {
  musaStream_t stream = nullptr;
  int not_a_stream = 0;
  auto* const bad = reinterpret_cast<musaStream_t>(&not_a_stream);
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamCreate(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamCreateWithFlags(&stream, 0x40));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamCreateWithPriority(nullptr, 0, 0));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamSynchronize(bad));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(bad));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(musaStreamLegacy));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(musaStreamPerThread));
}

TEST(Stream, NothingIsEverCaptured) {
  TestStream stream;
  auto status = musaStreamCaptureStatusActive;
  EXPECT_OK(musaStreamIsCapturing(stream, &status));
  EXPECT_EQ(musaStreamCaptureStatusNone, status);
  status = musaStreamCaptureStatusActive;
  EXPECT_OK(musaStreamGetCaptureInfo_v2(stream, &status));
  EXPECT_EQ(musaStreamCaptureStatusNone, status);
  status = musaStreamCaptureStatusActive;
  EXPECT_OK(musaStreamGetCaptureInfo_v2(nullptr, &status));
  EXPECT_EQ(musaStreamCaptureStatusNone, status);
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamIsCapturing(stream, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamGetCaptureInfo_v2(stream, nullptr));

  auto mode = musaStreamCaptureModeRelaxed;
  EXPECT_OK(musaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(musaStreamCaptureModeGlobal, mode);
  EXPECT_OK(musaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(musaStreamCaptureModeRelaxed, mode);
  EXPECT_ERROR(musaErrorInvalidValue, musaThreadExchangeStreamCaptureMode(nullptr));
  mode = static_cast<musaStreamCaptureMode>(8);
  EXPECT_ERROR(musaErrorInvalidValue, musaThreadExchangeStreamCaptureMode(&mode));
}

TEST(Stream, ThreadsStartWithTheFirstWork) {
  const Outcome outcome = run_helper("stream-threads");
  EXPECT_EQ(0, outcome.status) << outcome.output;
}

TEST(Stream, ProcessesEndWhateverTheirStreamsDo) {
  EXPECT_EQ(0, run_helper("exit-while-busy").status);
  EXPECT_EQ(0, run_helper("late-use").status);
}

TEST(Stream, SubmissionsFromManyThreads) {
  TestStream stream;
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        const musaStream_t where[] = {nullptr, stream, musaStreamPerThread};
        EXPECT_OK(musaLaunchHostFunc(
            where[round % 3], [](void* count) { ++*static_cast<std::atomic<int>*>(count); },
            &done));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_OK(musaDeviceSynchronize());
  EXPECT_EQ(400, done.load());
}

// A mistake of the program, but whatever was accepted is done, and nobody waits for ever.
TEST(Stream, DestroyedWhileAnotherThreadEnqueues) {
  std::atomic<int> done{0};
  const auto count = [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); };
  int accepted = 0;
  for (int round = 0; round < 500; ++round) {
    musaStream_t stream = nullptr;
    ASSERT_OK(musaStreamCreateWithFlags(
        &stream, round % 2 == 0 ? musaStreamDefault : musaStreamNonBlocking));
    std::atomic<bool> enqueued{false};
    std::thread other([&] {
      while (musaLaunchHostFunc(stream, count, &done) == musaSuccess) {
        ++accepted;
        enqueued = true;
      }
    });
    while (!enqueued) std::this_thread::yield();
    EXPECT_OK(musaStreamDestroy(stream));
    other.join();
    EXPECT_OK(musaDeviceSynchronize());
    ASSERT_EQ(accepted, done);
  }
}

}  // namespace
