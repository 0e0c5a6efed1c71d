#include "tests/host/musart/support.h"

namespace {

class Fill : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaMalloc(&memory_, kSize));
    ASSERT_OK(musaMemset(memory_, 0, kSize));
  }
  void TearDown() override { EXPECT_OK(musaFree(memory_)); }
  std::vector<unsigned char> contents() {
    std::vector<unsigned char> bytes(kSize);
    EXPECT_OK(musaMemcpy(bytes.data(), memory_, kSize, musaMemcpyDeviceToHost));
    return bytes;
  }
  static constexpr size_t kSize = 600;
  void* memory_ = nullptr;
};

TEST_F(Fill, Range) {
  EXPECT_OK(musaMemset(memory_, 0x1ff, 10));
  EXPECT_OK(musaMemsetAsync(static_cast<char*>(memory_) + 20, 2, 5, nullptr));
  EXPECT_OK(musaDeviceSynchronize());
  const auto bytes = contents();
  EXPECT_EQ(0xff, bytes[9]);
  EXPECT_EQ(0, bytes[10]);
  EXPECT_EQ(2, bytes[24]);
  EXPECT_EQ(0, bytes[25]);
}

TEST_F(Fill, Rows) {
  EXPECT_OK(musaMemset2D(memory_, 100, 5, 30, 6));
  EXPECT_OK(musaMemset2DAsync(memory_, 100, 6, 10, 2, nullptr));
  EXPECT_OK(musaDeviceSynchronize());
  const auto bytes = contents();
  EXPECT_EQ(6, bytes[109]);
  EXPECT_EQ(5, bytes[110]);
  EXPECT_EQ(5, bytes[529]);
  EXPECT_EQ(0, bytes[530]);
}

TEST_F(Fill, Box) {
  const musaPitchedPtr box = {memory_, 10, 10, 6};
  EXPECT_OK(musaMemset3D(box, 5, {4, 3, 10}));
  EXPECT_OK(musaMemset3DAsync(box, 6, {1, 1, 2}, nullptr));
  EXPECT_OK(musaDeviceSynchronize());
  const auto bytes = contents();
  EXPECT_EQ(6, bytes[60]);
  EXPECT_EQ(5, bytes[61]);
  EXPECT_EQ(5, bytes[540 + 23]);
  EXPECT_EQ(0, bytes[540 + 24]);
  EXPECT_EQ(0, bytes[540 + 30]);
}

TEST_F(Fill, Errors) {
  char host[10] = {};
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(memory_, 0, kSize + 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(nullptr, 0, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(host, 0, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemsetAsync(memory_, 0, kSize + 1, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset2D(memory_, 9, 0, 10, 2));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset2DAsync(memory_, 9, 0, 10, 2, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset2D(memory_, 100, 0, 100, 7));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset3D({nullptr, 10, 10, 6}, 0, {1, 1, 1}));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset3D({memory_, 10, 10, 6}, 0, {11, 2, 1}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemset3DAsync({memory_, 10, 10, 6}, 0, {10, 6, 11}, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemsetAsync(memory_, 0, 1, reinterpret_cast<musaStream_t>(host)));
  EXPECT_OK(musaMemset(nullptr, 0, 0));
}

}  // namespace
