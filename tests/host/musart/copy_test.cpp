#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>

#include "tests/host/musart/support.h"

namespace {

class Copy : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaMalloc(&device_, kSize));
    ASSERT_OK(musaMalloc(&other_, kSize));
    host_.resize(kSize);
    std::iota(host_.begin(), host_.end(), static_cast<unsigned char>(1));
  }
  void TearDown() override {
    EXPECT_OK(musaFree(device_));
    EXPECT_OK(musaFree(other_));
  }
  static constexpr size_t kSize = 1000;
  void* device_ = nullptr;
  void* other_ = nullptr;
  std::vector<unsigned char> host_;
};

TEST_F(Copy, ThereAndBack) {
  std::vector<unsigned char> back(kSize);
  EXPECT_OK(musaMemcpy(device_, host_.data(), kSize, musaMemcpyHostToDevice));
  EXPECT_OK(musaMemcpy(other_, device_, kSize, musaMemcpyDeviceToDevice));
  EXPECT_OK(musaMemcpy(back.data(), other_, kSize, musaMemcpyDeviceToHost));
  EXPECT_EQ(host_, back);
  std::vector<unsigned char> copy(kSize);
  EXPECT_OK(musaMemcpy(copy.data(), back.data(), kSize, musaMemcpyHostToHost));
  EXPECT_EQ(host_, copy);
}

TEST_F(Copy, DefaultInfersTheDirection) {
  std::vector<unsigned char> back(kSize);
  EXPECT_OK(musaMemcpy(device_, host_.data(), kSize, musaMemcpyDefault));
  EXPECT_OK(musaMemcpy(other_, device_, kSize, musaMemcpyDefault));
  EXPECT_OK(musaMemcpy(back.data(), other_, kSize, musaMemcpyDefault));
  EXPECT_EQ(host_, back);
}

TEST_F(Copy, DirectionsThatDoNotFit) {
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpy(device_, host_.data(), 1, static_cast<musaMemcpyKind>(5)));
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpy(device_, host_.data(), 0, static_cast<musaMemcpyKind>(-1)));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy(host_.data(), host_.data(), 1, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy(device_, host_.data(), 1, musaMemcpyDeviceToDevice));
  // The host's side may be any memory.
  EXPECT_OK(musaMemcpy(device_, other_, 1, musaMemcpyHostToDevice));
  EXPECT_OK(musaMemcpy(device_, other_, 1, musaMemcpyDeviceToHost));
  EXPECT_OK(musaMemcpy(device_, host_.data(), 1, musaMemcpyHostToHost));
}

TEST_F(Copy, NeverBeyondAnAllocation) {
  std::vector<unsigned char> back(2 * kSize);
  auto* const bytes = static_cast<unsigned char*>(device_);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy(back.data(), device_, kSize + 1, musaMemcpyDeviceToHost));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy(back.data(), bytes + 1, kSize, musaMemcpyDeviceToHost));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy(device_, back.data(), kSize + 1, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy(device_, back.data(), SIZE_MAX, musaMemcpyHostToDevice));
  EXPECT_OK(musaMemcpy(back.data(), bytes + kSize - 1, 1, musaMemcpyDeviceToHost));
  EXPECT_OK(musaMemcpy(back.data(), bytes + kSize, 0, musaMemcpyDeviceToHost));
}

TEST_F(Copy, NullPointers) {
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy(nullptr, device_, 1, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy(device_, nullptr, 1, musaMemcpyDefault));
  EXPECT_OK(musaMemcpy(nullptr, nullptr, 0, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DAsync(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DPeer(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DPeerAsync(nullptr));
}

TEST_F(Copy, OverlappingRanges) {
  auto* const bytes = static_cast<unsigned char*>(device_);
  EXPECT_OK(musaMemcpy(device_, host_.data(), kSize, musaMemcpyHostToDevice));
  EXPECT_OK(musaMemcpy(bytes + 1, bytes, kSize - 1, musaMemcpyDeviceToDevice));
  unsigned char last = 0;
  EXPECT_OK(musaMemcpy(&last, bytes + kSize - 1, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(host_[kSize - 2], last);
}

TEST_F(Copy, Rows) {
  std::vector<unsigned char> back(30);
  EXPECT_OK(musaMemset(device_, 0, kSize));
  // 3 rows of 10 bytes, 100 apart on the device.
  EXPECT_OK(musaMemcpy2D(device_, 100, host_.data(), 20, 10, 3, musaMemcpyHostToDevice));
  EXPECT_OK(musaMemcpy2D(back.data(), 10, device_, 100, 10, 3, musaMemcpyDeviceToHost));
  for (size_t y = 0; y < 3; ++y) {
    for (size_t x = 0; x < 10; ++x) EXPECT_EQ(host_[y * 20 + x], back[y * 10 + x]);
  }
  unsigned char between = 1;
  EXPECT_OK(musaMemcpy(&between, static_cast<char*>(device_) + 10, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(0, between);
}

TEST_F(Copy, BadRows) {
  EXPECT_ERROR(musaErrorInvalidPitchValue,
               musaMemcpy2D(device_, 9, host_.data(), 10, 10, 3, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidPitchValue,
               musaMemcpy2DAsync(device_, 10, host_.data(), 9, 10, 3, musaMemcpyHostToDevice));
  // The last row ends where the memory does, or one byte later.
  EXPECT_OK(musaMemcpy2D(device_, 100, host_.data(), 100, 100, 10, musaMemcpyHostToDevice));
  EXPECT_OK(musaMemcpy2D(device_, 110, host_.data(), 100, 10, 10, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy2D(device_, 110, host_.data(), 100, 11, 10, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy2D(device_, SIZE_MAX, host_.data(), 100, 1, 10, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpy2D(device_, 10, host_.data(), 10, 1, 1, static_cast<musaMemcpyKind>(9)));
  EXPECT_OK(musaMemcpy2D(nullptr, 10, nullptr, 10, 10, 0, musaMemcpyDefault));
}

TEST_F(Copy, Boxes) {
  musaMemcpy3DParms in{};
  // A box of 4 x 3 x 2 at (1, 1, 1) of a host volume with rows of 10 bytes and 5 rows per slice.
  in.srcPtr = {host_.data(), 10, 10, 5};
  in.srcPos = {1, 1, 1};
  in.dstPtr = {device_, 16, 16, 8};
  in.dstPos = {2, 3, 1};
  in.extent = {4, 3, 2};
  in.kind = musaMemcpyHostToDevice;
  ASSERT_OK(musaMemcpy3D(&in));
  std::vector<unsigned char> back(24);
  musaMemcpy3DParms out{};
  out.srcPtr = in.dstPtr;
  out.srcPos = in.dstPos;
  out.dstPtr = {back.data(), 4, 4, 3};
  out.extent = in.extent;
  out.kind = musaMemcpyDeviceToHost;
  ASSERT_OK(musaMemcpy3DAsync(&out, nullptr));
  ASSERT_OK(musaStreamSynchronize(nullptr));
  for (size_t z = 0; z < 2; ++z) {
    for (size_t y = 0; y < 3; ++y) {
      for (size_t x = 0; x < 4; ++x) {
        EXPECT_EQ(host_[(z + 1) * 50 + (y + 1) * 10 + x + 1], back[z * 12 + y * 4 + x]);
      }
    }
  }
}

TEST_F(Copy, BadBoxes) {
  musaMemcpy3DParms p{};
  p.srcPtr = {host_.data(), 10, 10, 5};
  p.dstPtr = {device_, 10, 10, 5};
  p.extent = {10, 5, 2};
  p.kind = musaMemcpyHostToDevice;
  EXPECT_OK(musaMemcpy3D(&p));
  musaMemcpy3DParms bad = p;
  bad.extent.width = 11;
  EXPECT_ERROR(musaErrorInvalidPitchValue, musaMemcpy3D(&bad));
  bad = p;
  bad.dstPos.x = 1;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&bad));
  bad = p;
  bad.srcPos.y = 1;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&bad));
  bad = p;
  bad.extent.depth = 21;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&bad));
  bad = p;
  bad.dstPos.z = SIZE_MAX;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&bad));
  bad = p;
  bad.srcPtr.ptr = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&bad));
  bad = p;
  bad.kind = static_cast<musaMemcpyKind>(8);
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection, musaMemcpy3D(&bad));
  bad = p;
  bad.srcArray = reinterpret_cast<musaArray_t>(device_);
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaMemcpy3D(&bad));
}

TEST_F(Copy, AsyncLeavesPinnedMemoryToTheStream) {
  void* pinned = nullptr;
  ASSERT_OK(musaMallocHost(&pinned, kSize));
  std::memset(pinned, 1, kSize);
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  Barrier barrier;
  barrier.hold(stream);
  ASSERT_OK(musaMemcpyAsync(device_, pinned, kSize, musaMemcpyHostToDevice, stream));
  // The copy has not run yet, so it will see this change.
  std::memset(pinned, 2, kSize);
  ASSERT_OK(musaMemsetAsync(device_, 3, 1, stream));
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream));
  unsigned char back[2] = {};
  ASSERT_OK(musaMemcpy(back, device_, 2, musaMemcpyDeviceToHost));
  EXPECT_EQ(3, back[0]);
  EXPECT_EQ(2, back[1]);
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_OK(musaFreeHost(pinned));
}

TEST_F(Copy, AsyncTakesSmallPageableMemoryOverAtOnce) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  Barrier barrier;
  barrier.hold(stream);
  const std::vector<unsigned char> expected = host_;
  ASSERT_OK(
      musaMemcpy2DAsync(device_, 100, host_.data(), 100, 50, 10, musaMemcpyHostToDevice, stream));
  std::fill(host_.begin(), host_.end(), static_cast<unsigned char>(0));
  barrier.open();
  // Into pageable memory, the call returns when the copy is complete.
  std::vector<unsigned char> back(kSize);
  ASSERT_OK(musaMemcpyAsync(back.data(), device_, kSize, musaMemcpyDeviceToHost, stream));
  for (size_t y = 0; y < 10; ++y) EXPECT_EQ(0, std::memcmp(&expected[y * 100], &back[y * 100], 50));
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST_F(Copy, AsyncErrorsComeAtOnce) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpyAsync(device_, other_, kSize + 1, musaMemcpyDefault, stream));
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpyAsync(device_, other_, 1, static_cast<musaMemcpyKind>(7), stream));
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemcpyAsync(device_, other_, 1, musaMemcpyDefault, stream));
}

TEST_F(Copy, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([id] {
      void* mine = nullptr;
      ASSERT_OK(musaMalloc(&mine, 4096));
      std::vector<unsigned char> sent(4096, static_cast<unsigned char>(id));
      std::vector<unsigned char> received(4096);
      for (int round = 0; round < 50; ++round) {
        ASSERT_OK(musaMemcpyAsync(mine, sent.data(), 4096, musaMemcpyDefault, musaStreamPerThread));
        ASSERT_OK(musaMemcpy(received.data(), mine, 4096, musaMemcpyDefault));
        ASSERT_EQ(sent, received);
      }
      ASSERT_OK(musaFree(mine));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
