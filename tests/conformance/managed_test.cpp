// Memory that moves between the host and devices.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 8192;

class Managed : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaMallocManaged(&memory_, kSize, cudaMemAttachGlobal));
    ASSERT_NE(nullptr, memory_);
  }
  void TearDown() override { EXPECT_OK(cudaFree(memory_)); }
  int told(cudaMemRangeAttribute attribute) const {
    int value = -99;
    EXPECT_OK(cudaMemRangeGetAttribute(&value, sizeof(value), attribute, memory_, kSize));
    return value;
  }
  void* memory_ = nullptr;
};

TEST_F(Managed, cudaMallocManaged_is_written_by_both_sides) {
  std::memset(memory_, 7, kSize);
  EXPECT_OK(cudaMemset(memory_, 8, 10));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(8, static_cast<char*>(memory_)[9]);
  EXPECT_EQ(7, static_cast<char*>(memory_)[10]);
  void* memory = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocManaged(&memory, 0, cudaMemAttachGlobal));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocManaged(nullptr, 1, cudaMemAttachGlobal));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocManaged(&memory, 1, 0x40));
}

TEST_F(Managed, cudaMemPrefetchAsync_is_the_last_location) {
  Stream stream;
  EXPECT_OK(prefetch(memory_, kSize, 1, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(1, told(cudaMemRangeAttributeLastPrefetchLocation));
  EXPECT_OK(prefetch(memory_, kSize, cudaCpuDeviceId, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(cudaCpuDeviceId, told(cudaMemRangeAttributeLastPrefetchLocation));
}

TEST_F(Managed, cudaMemPrefetchAsync_refuses_other_memory_and_devices) {
  const Buffer plain(kSize);
  EXPECT_ERROR(cudaErrorInvalidValue, prefetch(plain, kSize, 0, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, prefetch(memory_, 0, 0, nullptr));
  EXPECT_ERROR(cudaErrorInvalidDevice, prefetch(memory_, kSize, 9, nullptr));
}

TEST_F(Managed, cudaMemAdvise_is_told_by_the_range) {
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly));
  EXPECT_OK(advise(memory_, kSize, cudaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(1, told(cudaMemRangeAttributeReadMostly));
  EXPECT_OK(advise(memory_, kSize, cudaMemAdviseUnsetReadMostly, 0));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly));
  EXPECT_OK(advise(memory_, kSize, cudaMemAdviseSetPreferredLocation, 1));
  EXPECT_EQ(1, told(cudaMemRangeAttributePreferredLocation));
  EXPECT_OK(advise(memory_, kSize, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  EXPECT_EQ(cudaCpuDeviceId, told(cudaMemRangeAttributePreferredLocation));
  EXPECT_OK(advise(memory_, kSize, cudaMemAdviseSetAccessedBy, 0));
  EXPECT_EQ(0, told(cudaMemRangeAttributeAccessedBy));
}

TEST_F(Managed, cudaMemAdvise_refuses_bad_arguments) {
  const Buffer plain(kSize);
  EXPECT_ERROR(cudaErrorInvalidValue, advise(plain, kSize, cudaMemAdviseSetReadMostly, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, advise(memory_, kSize, static_cast<cudaMemoryAdvise>(40), 0));
  EXPECT_ERROR(cudaErrorInvalidDevice, advise(memory_, kSize, cudaMemAdviseSetAccessedBy, 9));
}

#if CUDA_MAJOR == 12
TEST_F(Managed, cudaMemPrefetchAsync_v2_is_the_last_location) {
  EXPECT_OK(cudaMemPrefetchAsync_v2(memory_, kSize, location(1), 0, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(1, told(cudaMemRangeAttributeLastPrefetchLocation));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemPrefetchAsync_v2(memory_, kSize, location(1), 5, nullptr));
}

TEST_F(Managed, cudaMemAdvise_v2_is_told_by_the_range) {
  EXPECT_OK(cudaMemAdvise_v2(memory_, kSize, cudaMemAdviseSetPreferredLocation, location(1)));
  EXPECT_EQ(1, told(cudaMemRangeAttributePreferredLocation));
}
#endif

TEST_F(Managed, cudaMemRangeGetAttribute_refuses_bad_arguments) {
  int value = 0;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemRangeGetAttribute(&value, 1, cudaMemRangeAttributeReadMostly, memory_, 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemRangeGetAttribute(nullptr, sizeof(value), cudaMemRangeAttributeReadMostly,
                                        memory_, 1));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemRangeGetAttribute(&value, sizeof(value),
                                        static_cast<cudaMemRangeAttribute>(99), memory_, 1));
}

TEST_F(Managed, cudaStreamAttachMemAsync_refuses_bad_arguments) {
  Stream stream;
  EXPECT_OK(cudaStreamAttachMemAsync(stream, memory_, 0, cudaMemAttachSingle));
  EXPECT_OK(cudaStreamAttachMemAsync(stream, memory_, kSize, cudaMemAttachGlobal));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, memory_, kSize / 2, 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, memory_, 0, 0x40));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, not_an_object, 0, 4));
}

}  // namespace
