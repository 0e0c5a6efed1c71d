#include "tests/host/musart/support.h"

namespace {

class Managed : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(musaMallocManaged(&memory_, kSize)); }
  void TearDown() override { EXPECT_OK(musaFree(memory_)); }
  int read(musaMemRangeAttribute attribute) {
    int value = -99;
    EXPECT_OK(musaMemRangeGetAttribute(&value, sizeof(value), attribute, memory_, kSize));
    return value;
  }
  static constexpr size_t kSize = 8192;
  void* memory_ = nullptr;
};

TEST_F(Managed, BothSidesUseIt) {
  std::memset(memory_, 7, kSize);
  EXPECT_OK(musaMemset(memory_, 8, 10));
  EXPECT_EQ(8, static_cast<char*>(memory_)[9]);
  EXPECT_EQ(7, static_cast<char*>(memory_)[10]);
}

TEST_F(Managed, BadAllocations) {
  void* memory = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaMallocManaged(nullptr, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMallocManaged(&memory, 1, musaMemAttachSingle));
}

TEST_F(Managed, AdviceCanBeReadBack) {
  EXPECT_EQ(0, read(musaMemRangeAttributeReadMostly));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(1, read(musaMemRangeAttributeReadMostly));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseUnsetReadMostly, 0));
  EXPECT_EQ(0, read(musaMemRangeAttributeReadMostly));

  EXPECT_EQ(musaInvalidDeviceId, read(musaMemRangeAttributePreferredLocation));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(0, read(musaMemRangeAttributePreferredLocation));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseUnsetPreferredLocation, 99));
  EXPECT_EQ(musaInvalidDeviceId, read(musaMemRangeAttributePreferredLocation));

  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetAccessedBy, musaCpuDeviceId));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetAccessedBy, 0));
  int devices[3] = {};
  EXPECT_OK(musaMemRangeGetAttribute(devices, sizeof(devices), musaMemRangeAttributeAccessedBy,
                                     memory_, kSize));
  EXPECT_EQ(musaCpuDeviceId, devices[0]);
  EXPECT_EQ(0, devices[1]);
  EXPECT_EQ(musaInvalidDeviceId, devices[2]);
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseUnsetAccessedBy, musaCpuDeviceId));
  EXPECT_EQ(0, read(musaMemRangeAttributeAccessedBy));

  EXPECT_EQ(musaInvalidDeviceId, read(musaMemRangeAttributeLastPrefetchLocation));
  EXPECT_OK(musaMemPrefetchAsync(memory_, kSize, musaCpuDeviceId));
  EXPECT_EQ(musaCpuDeviceId, read(musaMemRangeAttributeLastPrefetchLocation));
}

TEST_F(Managed, BadRangesAndArguments) {
  void* plain = nullptr;
  ASSERT_OK(musaMalloc(&plain, kSize));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPrefetchAsync(plain, kSize, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPrefetchAsync(memory_, kSize + 1, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPrefetchAsync(memory_, 0, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaMemPrefetchAsync(memory_, kSize, 5));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemPrefetchAsync(memory_, kSize, 0, reinterpret_cast<musaStream_t>(&plain)));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemAdvise(plain, 1, musaMemAdviseSetReadMostly, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise(memory_, 1, static_cast<musaMemoryAdvise>(40), 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaMemAdvise(memory_, 1, musaMemAdviseSetAccessedBy, 5));
  char small = 0;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttribute(&small, 1, musaMemRangeAttributeReadMostly, memory_, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttribute(&small, 1, musaMemRangeAttributeAccessedBy, memory_, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttribute(nullptr, 4, musaMemRangeAttributeReadMostly, memory_, 1));
  EXPECT_OK(musaFree(plain));
}

TEST_F(Managed, AttachedToAStream) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  EXPECT_OK(musaStreamAttachMemAsync(stream, memory_));
  EXPECT_OK(musaStreamAttachMemAsync(stream, memory_, kSize, musaMemAttachGlobal));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamAttachMemAsync(stream, memory_, kSize / 2));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamAttachMemAsync(nullptr, memory_));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamAttachMemAsync(stream, memory_, 0, 9));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamAttachMemAsync(stream, &stream));
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamAttachMemAsync(stream, memory_));
}

}  // namespace
