// What the conformance tests of copies, which also run on the stand-in alone, do not say.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

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

TEST_F(Copy, EvenNothingHasADirection) {
  EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
               musaMemcpy(device_, host_.data(), 0, static_cast<musaMemcpyKind>(-1)));
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

// Copies within the device, for which no call waits.
TEST_F(Copy, AsyncCopiesWaitForTheirTurn) {
  using Call = std::function<musaError_t(musaStream_t)>;
  musaMemcpy3DParms box{};
  box.srcPtr = {device_, 10, 10, 10};
  box.dstPtr = {other_, 10, 10, 10};
  box.extent = {10, 10, 10};
  box.kind = musaMemcpyDefault;
  musaMemcpy3DPeerParms peer_box{};
  peer_box.srcPtr = box.srcPtr;
  peer_box.dstPtr = box.dstPtr;
  peer_box.extent = box.extent;
  const Call calls[] = {
      [&](musaStream_t in) {
        return musaMemcpyAsync(other_, device_, kSize, musaMemcpyDefault, in);
      },
      [&](musaStream_t in) {
        return musaMemcpy2DAsync(other_, 100, device_, 100, 100, 10, musaMemcpyDefault, in);
      },
      [&](musaStream_t in) { return musaMemcpy3DAsync(&box, in); },
      [&](musaStream_t in) { return musaMemcpyPeerAsync(other_, 0, device_, 0, kSize, in); },
      [&](musaStream_t in) { return musaMemcpy3DPeerAsync(&peer_box, in); }};
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  ASSERT_OK(musaMemcpy(device_, host_.data(), kSize, musaMemcpyHostToDevice));
  std::vector<unsigned char> back(kSize);
  for (const Call& call : calls) {
    SCOPED_TRACE(&call - calls);
    ASSERT_OK(musaMemset(other_, 0, kSize));
    Barrier barrier;
    barrier.hold(stream);
    EXPECT_OK(call(stream));
    ASSERT_OK(musaMemcpy(back.data(), other_, kSize, musaMemcpyDefault));
    EXPECT_EQ(std::vector<unsigned char>(kSize), back);
    barrier.open();
    ASSERT_OK(musaStreamSynchronize(stream));
    ASSERT_OK(musaMemcpy(back.data(), other_, kSize, musaMemcpyDefault));
    EXPECT_EQ(host_, back);
    int not_a_stream = 0;
    EXPECT_ERROR(musaErrorInvalidResourceHandle,
                 call(reinterpret_cast<musaStream_t>(&not_a_stream)));
  }
  EXPECT_OK(musaStreamDestroy(stream));
}

}  // namespace
