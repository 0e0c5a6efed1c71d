// Device memory and streams for the tests of the host libraries.
#pragma once

#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <future>
#include <vector>

namespace host_tests {

// An array in device memory, filled through the runtime as in a program.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
    EXPECT_EQ(musaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)), musaSuccess);
    EXPECT_EQ(musaMemcpy(data_, values.data(), size_ * sizeof(T), musaMemcpyHostToDevice),
              musaSuccess);
  }
  ~DeviceArray() { EXPECT_EQ(musaFree(data_), musaSuccess); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  std::vector<T> values() const {
    std::vector<T> result(size_);
    EXPECT_EQ(musaMemcpy(result.data(), data_, size_ * sizeof(T), musaMemcpyDeviceToHost),
              musaSuccess);
    return result;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

// A stream without ordering relative to the default stream.
class Stream {
 public:
  Stream() { EXPECT_EQ(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking), musaSuccess); }
  ~Stream() { EXPECT_EQ(musaStreamDestroy(stream_), musaSuccess); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  musaStream_t get() const { return stream_; }
  void wait() const { EXPECT_EQ(musaStreamSynchronize(stream_), musaSuccess); }

 private:
  musaStream_t stream_ = nullptr;
};

// Blocks a stream until released, so that work behind it cannot have run.
class Roadblock {
 public:
  explicit Roadblock(const Stream& stream) : stream_(stream), open_(released_.get_future()) {
    const auto block = [](void* self) { static_cast<Roadblock*>(self)->open_.wait(); };
    EXPECT_EQ(musaLaunchHostFunc(stream.get(), block, this), musaSuccess);
  }
  ~Roadblock() { release(); }
  Roadblock(const Roadblock&) = delete;
  Roadblock& operator=(const Roadblock&) = delete;

  // Unblocks the stream and waits until it is empty.
  void release() {
    if (gone_) return;
    gone_ = true;
    released_.set_value();
    stream_.wait();
  }

 private:
  const Stream& stream_;
  std::promise<void> released_;
  std::future<void> open_;
  bool gone_ = false;
};

}  // namespace host_tests
