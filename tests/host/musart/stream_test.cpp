// What the conformance tests of streams, which also run on the stand-in alone, do not say.
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

// A fill of device memory is queued behind the blocking stream, and the call does not wait.
TEST(Stream, FillsOfDeviceMemoryDoNotWait) {
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, 1));
  TestStream stream;
  Barrier barrier;
  barrier.hold(stream);
  ASSERT_OK(musaMemset(memory, 7, 1));
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(nullptr));
  barrier.open();
  unsigned char value = 0;
  ASSERT_OK(musaMemcpy(&value, memory, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(7, value);
  EXPECT_OK(musaFree(memory));
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

TEST(Stream, LegacyIgnoresNonBlockingStreams) {
  TestStream stream(musaStreamNonBlocking);
  Log log;
  Barrier barrier;
  barrier.hold(stream);
  log.add(nullptr, 'a');
  EXPECT_OK(musaStreamSynchronize(nullptr));
  EXPECT_EQ("a", log.marks());
}

TEST(Stream, CallbacksTakeNoFlags) {
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamAddCallback(
                   nullptr, [](musaStream_t, musaError_t, void*) {}, nullptr, 1));
}

TEST(Stream, HostFunctionsCannotFree) {
  struct Seen {
    std::atomic<int> free{-1};
    void* memory = nullptr;
  } seen;
  ASSERT_OK(musaMalloc(&seen.memory, 1));
  TestStream stream;
  ASSERT_OK(musaLaunchHostFunc(
      stream,
      [](void* data) {
        static_cast<Seen*>(data)->free = musaFree(static_cast<Seen*>(data)->memory);
      },
      &seen));
  ASSERT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ(musaErrorNotPermitted, seen.free.load());
  EXPECT_OK(musaFree(seen.memory));
}

TEST(Stream, TheDefaultStreams) {
  unsigned long long id = 0;
  EXPECT_OK(musaStreamGetId(nullptr, &id));
  EXPECT_EQ(1u, id);
  int device = 9;
  EXPECT_OK(musaStreamGetDevice(nullptr, &device));
  EXPECT_EQ(0, device);
  unsigned int flags = 9;
  EXPECT_OK(musaStreamGetFlags(nullptr, &flags));
  int priority = 9;
  EXPECT_OK(musaStreamGetPriority(nullptr, &priority));
  EXPECT_EQ(0, priority);
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

  auto mode = static_cast<musaStreamCaptureMode>(8);
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
