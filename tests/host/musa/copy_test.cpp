#include <cstring>

#include "tests/host/musa/support.h"

namespace {

class DriverCopy : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    first_ = allocate(64);
    second_ = allocate(64);
    ASSERT_MU(muMemsetD8_v2(first_, 'a', 64));
    ASSERT_MU(muMemsetD8_v2(second_, 'b', 64));
  }
  void TearDown() override {
    EXPECT_MU(muMemFree_v2(first_));
    EXPECT_MU(muMemFree_v2(second_));
    DriverTest::TearDown();
  }
  // What the second piece starts with, after the stream's work.
  std::string copied() {
    EXPECT_MU(muStreamSynchronize(nullptr));
    std::string start = read(second_, 4);
    EXPECT_EQ(read(second_ + 4, 1), "b");
    EXPECT_MU(muMemsetD8_v2(second_, 'b', 64));
    return start;
  }

  MUdeviceptr first_ = 0;
  MUdeviceptr second_ = 0;
};

TEST_F(DriverCopy, muMemcpy_muMemcpyAsync_muMemcpyDtoD_v2_muMemcpyDtoDAsync_v2) {
  EXPECT_MU(muMemcpy(second_, first_, 4));
  EXPECT_EQ(copied(), "aaaa");
  EXPECT_MU(muMemcpyAsync(second_, first_, 4, nullptr));
  EXPECT_EQ(copied(), "aaaa");
  EXPECT_MU(muMemcpyDtoD_v2(second_, first_, 4));
  EXPECT_EQ(copied(), "aaaa");
  EXPECT_MU(muMemcpyDtoDAsync_v2(second_, first_, 4, nullptr));
  EXPECT_EQ(copied(), "aaaa");
  EXPECT_EQ(muMemcpy(second_, first_, 65), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverCopy, muMemcpyHtoD_v2_muMemcpyHtoDAsync_v2_muMemcpyDtoH_v2_muMemcpyDtoHAsync_v2) {
  EXPECT_MU(muMemcpyHtoD_v2(second_, "host", 4));
  EXPECT_EQ(copied(), "host");
  EXPECT_MU(muMemcpyHtoDAsync_v2(second_, "also", 4, nullptr));
  EXPECT_EQ(copied(), "also");
  char text[5] = "";
  EXPECT_MU(muMemcpyDtoH_v2(text, first_, 4));
  EXPECT_STREQ(text, "aaaa");
  EXPECT_MU(muMemcpyDtoHAsync_v2(text, second_, 4, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_STREQ(text, "bbbb");
}

TEST_F(DriverCopy, muMemcpyPeer_and_muMemcpyPeerAsync) {
  MUcontext other = nullptr;
  ASSERT_MU(muDevicePrimaryCtxRetain(&other, 1));
  ASSERT_MU(muCtxPushCurrent_v2(other));
  const MUdeviceptr there = allocate(4);
  ASSERT_MU(muCtxPopCurrent_v2(nullptr));
  EXPECT_MU(muMemcpyPeer(there, other, first_, context_, 4));
  EXPECT_EQ(read(there, 4), "aaaa");
  EXPECT_MU(muMemcpyPeerAsync(there, other, second_, context_, 4, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(there, 4), "bbbb");
  EXPECT_EQ(muMemcpyPeer(there, nullptr, first_, context_, 4), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muMemcpyPeer(there, context_, first_, context_, 4), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(there));
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(1));
}

TEST_F(DriverCopy, muMemoryTransferBatchAsync_copies_all_or_none) {
  MUstream stream = nullptr;
  ASSERT_MU(muStreamCreate(&stream, 0));
  MUdeviceptr to[] = {second_, second_ + 2};
  MUdeviceptr from[] = {first_, first_};
  size_t sizes[] = {2, 1};
  MUmemcpyAttributes attributes{};
  attributes.srcAccessOrder = MU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  size_t start = 0;
  size_t failed = 0;
  EXPECT_MU(
      muMemoryTransferBatchAsync(to, from, sizes, 2, &attributes, &start, 1, &failed, stream));
  EXPECT_MU(muStreamSynchronize(stream));
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(copied(), "aaab");
  from[1] = 0;
  EXPECT_EQ(muMemoryTransferBatchAsync(to, from, sizes, 2, &attributes, &start, 1, &failed, stream),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(failed, 1U);
  EXPECT_EQ(copied(), "bbbb");
  EXPECT_MU(muStreamDestroy_v2(stream));
}

std::string repeated(unsigned int value, size_t size, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text.append(reinterpret_cast<const char*>(&value), size);
  return text;
}

TEST_F(DriverCopy, muMemsetD8_v2_muMemsetD8Async) {
  EXPECT_MU(muMemsetD8_v2(second_, 'c', 4));
  EXPECT_EQ(read(second_, 4), repeated('c', 1, 4));
  EXPECT_EQ(read(second_ + 4, 1), "b");
  EXPECT_MU(muMemsetD8Async(second_ + 32, 'c', 3, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(second_ + 32, 3), repeated('c', 1, 3));
  EXPECT_EQ(muMemsetD8_v2(second_, 'c', 65), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverCopy, muMemsetD2D8_v2_muMemsetD2D8Async) {
  EXPECT_MU(muMemsetD2D8_v2(second_, 16, 'c', 2, 2));
  EXPECT_EQ(read(second_, 2), repeated('c', 1, 2));
  EXPECT_EQ(read(second_ + 2, 1), "b");
  EXPECT_EQ(read(second_ + 16, 2), repeated('c', 1, 2));
  EXPECT_MU(muMemsetD2D8Async(second_ + 32, 16, 'c', 2, 2, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(second_ + 48, 2), repeated('c', 1, 2));
  EXPECT_EQ(muMemsetD2D8_v2(second_, 1, 'c', 2, 2), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverCopy, muMemsetD16_v2_muMemsetD16Async) {
  EXPECT_MU(muMemsetD16_v2(second_, 0x1234, 4));
  EXPECT_EQ(read(second_, 8), repeated(0x1234, 2, 4));
  EXPECT_EQ(read(second_ + 8, 1), "b");
  EXPECT_MU(muMemsetD16Async(second_ + 32, 0x1234, 3, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(second_ + 32, 6), repeated(0x1234, 2, 3));
  EXPECT_EQ(muMemsetD16_v2(second_, 0x1234, 65), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemsetD16_v2(second_ + 1, 0x1234, 1), MUSA_ERROR_INVALID_VALUE) << "misaligned";
}

TEST_F(DriverCopy, muMemsetD2D16_v2_muMemsetD2D16Async) {
  EXPECT_MU(muMemsetD2D16_v2(second_, 16, 0x1234, 2, 2));
  EXPECT_EQ(read(second_, 4), repeated(0x1234, 2, 2));
  EXPECT_EQ(read(second_ + 4, 1), "b");
  EXPECT_EQ(read(second_ + 16, 4), repeated(0x1234, 2, 2));
  EXPECT_MU(muMemsetD2D16Async(second_ + 32, 16, 0x1234, 2, 2, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(second_ + 48, 4), repeated(0x1234, 2, 2));
  EXPECT_EQ(muMemsetD2D16_v2(second_, 2, 0x1234, 2, 2), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverCopy, muMemsetD32_v2_muMemsetD32Async) {
  EXPECT_MU(muMemsetD32_v2(second_, 0x12345678, 4));
  EXPECT_EQ(read(second_, 16), repeated(0x12345678, 4, 4));
  EXPECT_EQ(read(second_ + 16, 1), "b");
  EXPECT_MU(muMemsetD32Async(second_ + 32, 0x12345678, 3, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(second_ + 32, 12), repeated(0x12345678, 4, 3));
  EXPECT_EQ(muMemsetD32_v2(second_, 0x12345678, 65), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemsetD32_v2(second_ + 1, 0x12345678, 1), MUSA_ERROR_INVALID_VALUE) << "misaligned";
}

TEST_F(DriverCopy, muMemsetD2D32_v2_muMemsetD2D32Async) {
  EXPECT_MU(muMemsetD2D32_v2(second_, 16, 0x12345678, 2, 2));
  EXPECT_EQ(read(second_, 8), repeated(0x12345678, 4, 2));
  EXPECT_EQ(read(second_ + 8, 1), "b");
  EXPECT_EQ(read(second_ + 16, 8), repeated(0x12345678, 4, 2));
  EXPECT_MU(muMemsetD2D32Async(second_ + 32, 16, 0x12345678, 2, 2, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(second_ + 48, 8), repeated(0x12345678, 4, 2));
  EXPECT_EQ(muMemsetD2D32_v2(second_, 4, 0x12345678, 2, 2), MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
