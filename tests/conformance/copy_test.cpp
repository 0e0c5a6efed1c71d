// Copies of contiguous ranges.
#include <cstdint>
#include <thread>

#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 1000;

class Copies : public testing::Test {
 protected:
  const std::vector<unsigned char> host_ = counted(kSize);
  Buffer first_{kSize};
  Buffer second_{kSize};
};

TEST_F(Copies, cudaMemcpy_in_every_direction) {
  std::vector<unsigned char> back(kSize);
  std::vector<unsigned char> copy(kSize);
  EXPECT_OK(cudaMemcpy(first_, host_.data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(second_, first_, kSize, cudaMemcpyDeviceToDevice));
  EXPECT_OK(cudaMemcpy(back.data(), second_, kSize, cudaMemcpyDeviceToHost));
  EXPECT_EQ(host_, back);
  EXPECT_OK(cudaMemcpy(copy.data(), back.data(), kSize, cudaMemcpyHostToHost));
  EXPECT_EQ(host_, copy);
}

TEST_F(Copies, cudaMemcpy_default_sees_what_pointers_are) {
  std::vector<unsigned char> back(kSize);
  const Pinned pinned(kSize);
  EXPECT_OK(cudaMemcpy(pinned, host_.data(), kSize, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpy(first_, pinned, kSize, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpy(second_, first_, kSize, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpy(back.data(), second_, kSize, cudaMemcpyDefault));
  EXPECT_EQ(host_, back);
}

TEST_F(Copies, cudaMemcpy_refuses_bad_arguments) {
  std::vector<unsigned char> back(2 * kSize);
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaMemcpy(first_, second_, 1, static_cast<cudaMemcpyKind>(9)));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(nullptr, first_, 1, cudaMemcpyDefault));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(first_, nullptr, 1, cudaMemcpyDefault));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(back.data(), first_, kSize + 1, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
}

// A side called "device" must be memory that the device knows. The other may be any memory.
TEST_F(Copies, cudaMemcpy_and_cudaMemcpyAsync_check_the_side_of_the_device_alone) {
  std::vector<unsigned char> heap(2 * kSize);
  const Pinned pinned(2 * kSize);
  void* managed = nullptr;
  ASSERT_OK(cudaMallocManaged(&managed, 2 * kSize, cudaMemAttachGlobal));
  const Buffer device(2 * kSize);
  const Stream stream;
  const struct {
    const char* name;
    unsigned char* memory;
    bool known;
  } places[] = {{"heap", heap.data(), false},
                {"pinned", static_cast<unsigned char*>(static_cast<void*>(pinned)), true},
                {"managed", static_cast<unsigned char*>(managed), true},
                {"device", device.bytes(), true}};
  for (const auto& to : places) {
    for (const auto& from : places) {
      for (const auto kind : {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                              cudaMemcpyDeviceToDevice, cudaMemcpyDefault}) {
        SCOPED_TRACE(std::string(from.name) + " to " + to.name + ", kind " +
                     std::to_string(static_cast<int>(kind)));
        const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        const bool fits = (to.known || !to_device) && (from.known || !from_device);
        const cudaError_t expected = fits ? cudaSuccess : cudaErrorInvalidValue;
        EXPECT_EQ(expected, cudaMemcpy(to.memory, from.memory + kSize, kSize, kind));
        EXPECT_EQ(expected, cudaMemcpyAsync(to.memory, from.memory + kSize, kSize, kind, stream));
        EXPECT_OK(cudaStreamSynchronize(stream));
        static_cast<void>(cudaGetLastError());
      }
    }
  }
  EXPECT_OK(cudaFree(managed));
}

TEST_F(Copies, cudaMemcpy_waits_for_streams_that_block) {
  Stream stream;
  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaMemsetAsync(first_, 9, kSize, stream));
  std::thread opener([&] { gate.open(); });
  EXPECT_EQ(bytes_of(kSize, 9), contents(first_, kSize));
  opener.join();
}

TEST_F(Copies, cudaMemcpyAsync_happens_in_the_order_of_the_stream) {
  Stream stream;
  const Pinned pinned(kSize);
  pinned.fill(1);
  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaMemcpyAsync(first_, pinned, kSize, cudaMemcpyHostToDevice, stream));
  pinned.fill(2);  // the copy has not run yet and will see this
  ASSERT_OK(cudaMemsetAsync(first_, 3, 1, stream));
  gate.open();
  ASSERT_OK(cudaStreamSynchronize(stream));
  auto expected = bytes_of(kSize, 2);
  expected[0] = 3;
  EXPECT_EQ(expected, contents(first_, kSize));
}

TEST_F(Copies, cudaMemcpyAsync_lets_go_of_pageable_memory_of_the_source) {
  Stream stream;
  auto source = host_;
  ASSERT_OK(cudaMemcpyAsync(first_, source.data(), kSize, cudaMemcpyHostToDevice, stream));
  source.assign(kSize, 0);
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(host_, contents(first_, kSize));
}

TEST_F(Copies, cudaMemcpyAsync_refuses_bad_arguments_at_once) {
  Stream stream;
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaMemcpyAsync(first_, second_, 1, static_cast<cudaMemcpyKind>(9), stream));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyAsync(first_, second_, kSize + 1, cudaMemcpyDefault, stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaMemcpyAsync(first_, second_, 1, cudaMemcpyDefault, bad_stream()));
}

TEST_F(Copies, cudaMemcpyAsync_of_many_threads_keep_apart) {
  std::vector<std::thread> threads;
  for (int id = 1; id <= 4; ++id) {
    threads.emplace_back([id] {
      const Buffer mine(kSize);
      const auto sent = bytes_of(kSize, id);
      for (int round = 0; round < 20; ++round) {
        ASSERT_OK(
            cudaMemcpyAsync(mine, sent.data(), kSize, cudaMemcpyDefault, cudaStreamPerThread));
        ASSERT_OK(cudaStreamSynchronize(cudaStreamPerThread));
        ASSERT_EQ(sent, contents(mine, kSize));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
