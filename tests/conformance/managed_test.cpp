// Memory that moves between the host and devices.
#include <sys/mman.h>

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
  EXPECT_OK(cudaMallocManaged(&memory, 0, cudaMemAttachGlobal));
  EXPECT_EQ(nullptr, memory);
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

class ManagedPages : public testing::Test {
 protected:
  static constexpr size_t kPage = 4096;
  static constexpr size_t kPages = 8;
  void SetUp() override {
    ASSERT_OK(cudaMallocManaged(&memory_, kPages * kPage, cudaMemAttachGlobal));
  }
  void TearDown() override { EXPECT_OK(cudaFree(memory_)); }
  char* page(size_t index) const { return static_cast<char*>(memory_) + index * kPage; }
  int told(cudaMemRangeAttribute attribute, size_t first, size_t count) const {
    int value = -99;
    EXPECT_OK(
        cudaMemRangeGetAttribute(&value, sizeof(value), attribute, page(first), count * kPage));
    return value;
  }
  void* memory_ = nullptr;
};

// What is not the same for the whole range counts as not given.
TEST_F(ManagedPages, cudaMemAdvise_holds_for_the_pages_alone) {
  EXPECT_OK(advise(page(2), 3 * kPage, cudaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(1, told(cudaMemRangeAttributeReadMostly, 2, 3));
  EXPECT_EQ(1, told(cudaMemRangeAttributeReadMostly, 3, 1));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly, 0, kPages));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly, 1, 2));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly, 5, 1));
  EXPECT_OK(advise(page(3), kPage, cudaMemAdviseUnsetReadMostly, 0));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly, 2, 3));
  EXPECT_EQ(1, told(cudaMemRangeAttributeReadMostly, 4, 1));

  EXPECT_OK(advise(page(0), 4 * kPage, cudaMemAdviseSetPreferredLocation, 0));
  EXPECT_OK(advise(page(4), 4 * kPage, cudaMemAdviseSetPreferredLocation, 1));
  EXPECT_EQ(0, told(cudaMemRangeAttributePreferredLocation, 0, 4));
  EXPECT_EQ(1, told(cudaMemRangeAttributePreferredLocation, 4, 4));
  EXPECT_EQ(cudaInvalidDeviceId, told(cudaMemRangeAttributePreferredLocation, 3, 2));

  EXPECT_OK(advise(memory_, kPages * kPage, cudaMemAdviseSetAccessedBy, 0));
  EXPECT_OK(advise(page(1), kPage, cudaMemAdviseUnsetAccessedBy, 0));
  EXPECT_EQ(0, told(cudaMemRangeAttributeAccessedBy, 2, 6));
  EXPECT_EQ(cudaInvalidDeviceId, told(cudaMemRangeAttributeAccessedBy, 0, 2));
}

// "Rounded down and rounded up respectively to be aligned to CPU page size."
TEST_F(ManagedPages, cudaMemAdvise_takes_whole_pages) {
  EXPECT_OK(advise(page(2) + 100, kPage, cudaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(1, told(cudaMemRangeAttributeReadMostly, 2, 2));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly, 1, 1));
  EXPECT_EQ(0, told(cudaMemRangeAttributeReadMostly, 4, 1));
}

TEST_F(ManagedPages, cudaMemPrefetchAsync_is_the_last_location_of_the_pages_alone) {
  EXPECT_OK(prefetch(memory_, kPages * kPage, 0, nullptr));
  EXPECT_OK(prefetch(page(4), kPage, 1, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(0, told(cudaMemRangeAttributeLastPrefetchLocation, 0, 4));
  EXPECT_EQ(1, told(cudaMemRangeAttributeLastPrefetchLocation, 4, 1));
  EXPECT_EQ(cudaInvalidDeviceId, told(cudaMemRangeAttributeLastPrefetchLocation, 0, kPages));
}

// Where a device says that it reaches memory of the program, it takes advice about it.
class PageableMemory : public testing::Test {
 protected:
  static constexpr size_t kBytes = 5 * 4096;
  void SetUp() override {
    int reaches = 0;
    ASSERT_OK(cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, 0));
    wanted_ = reaches != 0 ? cudaSuccess : cudaErrorInvalidValue;
    mapped_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(MAP_FAILED, mapped_);
  }
  void TearDown() override {
    static_cast<void>(cudaGetLastError());
    munmap(mapped_, kBytes);
  }
  void* mapped_ = nullptr;
  cudaError_t wanted_ = cudaSuccess;
};

TEST_F(PageableMemory, cudaMemAdvise_takes_memory_of_the_program) {
  std::vector<char> allocated(kBytes);
  EXPECT_EQ(wanted_, advise(mapped_, kBytes, cudaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(wanted_, advise(mapped_, kBytes, cudaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(wanted_, advise(allocated.data(), kBytes, cudaMemAdviseSetAccessedBy, 0));
}

TEST_F(PageableMemory, cudaMemAdvise_refuses_memory_that_is_not_there) {
  void* const gone = mapped_;
  ASSERT_EQ(0, munmap(static_cast<char*>(gone) + kBytes - 4096, 4096));
  EXPECT_ERROR(cudaErrorInvalidValue, advise(gone, kBytes, cudaMemAdviseSetReadMostly, 0));
}

TEST_F(PageableMemory, cudaMemPrefetchAsync_takes_memory_of_the_program) {
  EXPECT_EQ(wanted_, prefetch(mapped_, kBytes, 0, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
}

// "For pageable allocations, length must be non-zero."
TEST_F(PageableMemory, cudaStreamAttachMemAsync_takes_memory_of_the_program) {
  const Stream stream;
  EXPECT_EQ(wanted_, cudaStreamAttachMemAsync(stream, mapped_, kBytes, cudaMemAttachSingle));
  static_cast<void>(cudaGetLastError());
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaStreamAttachMemAsync(stream, mapped_, 0, cudaMemAttachSingle));
  ASSERT_EQ(0, munmap(mapped_, kBytes));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaStreamAttachMemAsync(stream, mapped_, kBytes, cudaMemAttachSingle));
}

// "The memory range must refer to managed memory."
TEST_F(PageableMemory, cudaMemRangeGetAttribute_refuses_memory_of_the_program) {
  int value = 0;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemRangeGetAttribute(&value, sizeof(value), cudaMemRangeAttributeReadMostly,
                                        mapped_, kBytes));
}

}  // namespace
