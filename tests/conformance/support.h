// Shared by the conformance tests.
#ifndef TORCHADA_TESTS_CONFORMANCE_SUPPORT_H_
#define TORCHADA_TESTS_CONFORMANCE_SUPPORT_H_

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/conformance/cuda.h"
#include "tests/conformance/majors.h"

#define ASSERT_OK(call) ASSERT_EQ(cudaSuccess, (call))
#define EXPECT_OK(call) EXPECT_EQ(cudaSuccess, (call))
// The call must return the error and remember it for the thread. Reading it must clear it.
#define EXPECT_ERROR(code, call)                \
  do {                                          \
    EXPECT_EQ((code), (call));                  \
    EXPECT_EQ((code), cudaPeekAtLastError());   \
    EXPECT_EQ((code), cudaGetLastError());      \
    EXPECT_EQ(cudaSuccess, cudaGetLastError()); \
  } while (false)

// An address for places that need a handle or device memory.
inline char not_an_object[64];

inline cudaStream_t bad_stream() { return reinterpret_cast<cudaStream_t>(not_an_object); }
inline cudaEvent_t bad_event() { return reinterpret_cast<cudaEvent_t>(not_an_object); }

// The contents of device memory.
inline std::vector<unsigned char> contents(const void* memory, size_t size) {
  std::vector<unsigned char> bytes(size, 0xee);
  EXPECT_OK(cudaMemcpy(bytes.data(), memory, size, cudaMemcpyDeviceToHost));
  return bytes;
}

inline std::vector<unsigned char> bytes_of(size_t size, int value) {
  return std::vector<unsigned char>(size, static_cast<unsigned char>(value));
}

// 1, 2, 3, ... repeating.
inline std::vector<unsigned char> counted(size_t size) {
  std::vector<unsigned char> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i % 251 + 1);
  return bytes;
}

// Device memory filled with zeros.
class Buffer {
 public:
  explicit Buffer(size_t size) {
    EXPECT_OK(cudaMalloc(&memory_, size));
    EXPECT_OK(cudaMemset(memory_, 0, size));
    EXPECT_OK(cudaDeviceSynchronize());
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { EXPECT_OK(cudaFree(memory_)); }
  operator void*() const { return memory_; }
  unsigned char* bytes() const { return static_cast<unsigned char*>(memory_); }

 private:
  void* memory_ = nullptr;
};

// Pinned host memory, so that copies do not read it at once.
class Pinned {
 public:
  explicit Pinned(size_t size) : size_(size) { EXPECT_OK(cudaMallocHost(&memory_, size)); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { EXPECT_OK(cudaFreeHost(memory_)); }
  operator void*() const { return memory_; }
  void fill(int value) const { std::memset(memory_, value, size_); }

 private:
  void* memory_ = nullptr;
  size_t size_;
};

class Stream {
 public:
  explicit Stream(unsigned int flags = cudaStreamDefault) {
    EXPECT_OK(cudaStreamCreateWithFlags(&stream_, flags));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { EXPECT_OK(cudaStreamDestroy(stream_)); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(unsigned int flags = 0) { EXPECT_OK(cudaEventCreateWithFlags(&event_, flags)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { EXPECT_OK(cudaEventDestroy(event_)); }
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// Blocks streams until it is opened. What the streams wait for outlives it.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open(); }
  void hold(cudaStream_t stream) {
    auto held = std::make_unique<std::shared_ptr<State>>(state_);
    ASSERT_OK(cudaLaunchHostFunc(
        stream,
        [](void* argument) {
          const std::unique_ptr<std::shared_ptr<State>> mine(
              static_cast<std::shared_ptr<State>*>(argument));
          State& state = **mine;
          std::unique_lock lock(state.mutex);
          state.changed.wait(lock, [&] { return state.open; });
        },
        held.get()));
    static_cast<void>(held.release());
  }
  void open() {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->changed.notify_all();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// Records letters from streams.
class Journal {
 public:
  void write(cudaStream_t stream, char letter) {
    auto entry = std::make_unique<Entry>(Entry{state_, letter});
    ASSERT_OK(cudaLaunchHostFunc(stream, append, entry.get()));
    static_cast<void>(entry.release());
  }
  std::string text() const {
    const std::lock_guard lock(state_->mutex);
    return state_->text;
  }

 private:
  struct State {
    std::mutex mutex;
    std::string text;
  };
  struct Entry {
    std::shared_ptr<State> state;
    char letter;
  };
  static void append(void* argument) {
    const std::unique_ptr<Entry> entry(static_cast<Entry*>(argument));
    const std::lock_guard lock(entry->state->mutex);
    entry->state->text += entry->letter;
  }
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

#endif  // TORCHADA_TESTS_CONFORMANCE_SUPPORT_H_
