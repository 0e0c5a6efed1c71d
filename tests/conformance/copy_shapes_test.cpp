// Copies of rows and boxes.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 1000;

class Shapes : public testing::Test {
 protected:
  // Three rows of ten bytes: twenty apart on the host, a hundred apart on the device.
  void expect_rows() const {
    const auto bytes = contents(device_, kSize);
    for (size_t i = 0; i < kSize; ++i) {
      const size_t row = i / 100;
      const size_t column = i % 100;
      const int expected = row < 3 && column < 10 ? host_[row * 20 + column] : 0;
      ASSERT_EQ(expected, bytes[i]) << i;
    }
  }
  // A box of 4 x 3 x 2 from (1, 1, 1) on the host to (2, 3, 1) on the device.
  cudaMemcpy3DParms box() {
    cudaMemcpy3DParms made{};
    made.srcPtr = {host_.data(), 10, 10, 5};
    made.srcPos = {1, 1, 1};
    made.dstPtr = {device_, 16, 16, 8};
    made.dstPos = {2, 3, 1};
    made.extent = {4, 3, 2};
    made.kind = cudaMemcpyHostToDevice;
    return made;
  }
  void expect_box() const {
    std::vector<unsigned char> expected(kSize);
    for (size_t z = 0; z < 2; ++z) {
      for (size_t y = 0; y < 3; ++y) {
        for (size_t x = 0; x < 4; ++x) {
          expected[(z + 1) * 128 + (y + 3) * 16 + x + 2] =
              host_[(z + 1) * 50 + (y + 1) * 10 + x + 1];
        }
      }
    }
    EXPECT_EQ(expected, contents(device_, kSize));
  }
  std::vector<unsigned char> host_ = counted(kSize);
  Buffer device_{kSize};
  Stream stream_;
};

TEST_F(Shapes, cudaMemcpy2D_copies_rows_and_nothing_between) {
  EXPECT_OK(cudaMemcpy2D(device_, 100, host_.data(), 20, 10, 3, cudaMemcpyHostToDevice));
  expect_rows();
}

TEST_F(Shapes, cudaMemcpy2D_refuses_bad_arguments) {
  EXPECT_ERROR(cudaErrorInvalidPitchValue,
               cudaMemcpy2D(device_, 9, host_.data(), 20, 10, 3, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaMemcpy2D(device_, 100, host_.data(), 20, 10, 3, static_cast<cudaMemcpyKind>(9)));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy2D(device_, 100, host_.data(), 20, 10, 11, cudaMemcpyHostToDevice));
}

TEST_F(Shapes, cudaMemcpy2DAsync_copies_rows_and_nothing_between) {
  EXPECT_OK(
      cudaMemcpy2DAsync(device_, 100, host_.data(), 20, 10, 3, cudaMemcpyHostToDevice, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  expect_rows();
  EXPECT_ERROR(cudaErrorInvalidPitchValue, cudaMemcpy2DAsync(device_, 100, host_.data(), 9, 10, 3,
                                                             cudaMemcpyHostToDevice, stream_));
}

TEST_F(Shapes, cudaMemcpy3D_copies_the_box_alone) {
  const auto parameters = box();
  EXPECT_OK(cudaMemcpy3D(&parameters));
  expect_box();
}

TEST_F(Shapes, cudaMemcpy3D_refuses_bad_arguments) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));
  auto parameters = box();
  parameters.kind = static_cast<cudaMemcpyKind>(9);
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&parameters));
  parameters = box();
  parameters.srcPtr.ptr = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3D(&parameters));
}

TEST_F(Shapes, cudaMemcpy3DAsync_copies_the_box_alone) {
  const auto parameters = box();
  EXPECT_OK(cudaMemcpy3DAsync(&parameters, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  expect_box();
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3DAsync(nullptr, stream_));
}

}  // namespace
