// Fills of ranges, rows and boxes.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 600;

class Fills : public testing::Test {
 protected:
  // Expects 5 in the wanted bytes and 0 in all others.
  template <typename Wanted>
  void expect_filled(Wanted wanted) {
    EXPECT_OK(cudaStreamSynchronize(stream_));
    const auto bytes = contents(memory_, kSize);
    for (size_t i = 0; i < kSize; ++i) ASSERT_EQ(wanted(i) ? 5 : 0, bytes[i]) << i;
  }
  static bool in_range(size_t i) { return i < 10; }
  // 30 bytes wide and 6 rows high, with rows 100 bytes apart.
  static bool in_rows(size_t i) { return i % 100 < 30; }
  // 4 x 3 x 5, with rows 10 bytes apart and 6 rows per slice.
  static bool in_box(size_t i) { return i / 60 < 5 && i % 60 / 10 < 3 && i % 10 < 4; }
  cudaPitchedPtr pitched() const { return {memory_, 10, 10, 6}; }
  Buffer memory_{kSize};
  Stream stream_;
};

TEST_F(Fills, cudaMemset_writes_the_low_byte_to_the_range_alone) {
  EXPECT_OK(cudaMemset(memory_, 0x105, 10));
  expect_filled(in_range);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset(memory_, 0, kSize + 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 1));
}

TEST_F(Fills, cudaMemsetAsync_writes_the_range_alone) {
  EXPECT_OK(cudaMemsetAsync(memory_, 5, 10, stream_));
  expect_filled(in_range);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemsetAsync(memory_, 0, kSize + 1, stream_));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaMemsetAsync(memory_, 0, 1, bad_stream()));
}

TEST_F(Fills, cudaMemset2D_writes_the_rows_alone) {
  EXPECT_OK(cudaMemset2D(memory_, 100, 5, 30, 6));
  expect_filled(in_rows);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset2D(nullptr, 100, 5, 30, 6));
}

TEST_F(Fills, cudaMemset2DAsync_writes_the_rows_alone) {
  EXPECT_OK(cudaMemset2DAsync(memory_, 100, 5, 30, 6, stream_));
  expect_filled(in_rows);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset2DAsync(nullptr, 100, 5, 30, 6, stream_));
}

TEST_F(Fills, cudaMemset3D_writes_the_box_alone) {
  EXPECT_OK(cudaMemset3D(pitched(), 5, {4, 3, 5}));
  expect_filled(in_box);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset3D({nullptr, 10, 10, 6}, 5, {4, 3, 5}));
}

TEST_F(Fills, cudaMemset3DAsync_writes_the_box_alone) {
  EXPECT_OK(cudaMemset3DAsync(pitched(), 5, {4, 3, 5}, stream_));
  expect_filled(in_box);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemset3DAsync({nullptr, 10, 10, 6}, 5, {4, 3, 5}, stream_));
}

// The documentation lists no other status for them.
TEST_F(Fills, cudaMemset2D_refuses_a_bad_pitch_as_a_value) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset2D(memory_, 9, 0, 10, 2));
}

TEST_F(Fills, cudaMemset2DAsync_refuses_a_bad_pitch_as_a_value) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset2DAsync(memory_, 9, 0, 10, 2, stream_));
}

TEST_F(Fills, cudaMemset3D_refuses_a_bad_pitch_as_a_value) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset3D(pitched(), 0, {11, 2, 1}));
}

TEST_F(Fills, cudaMemset3DAsync_refuses_a_bad_pitch_as_a_value) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset3DAsync(pitched(), 0, {11, 2, 1}, stream_));
}

}  // namespace
