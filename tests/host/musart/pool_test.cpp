#include <cstdint>

#include "tests/host/musart/support.h"

namespace {

class PoolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaStreamCreate(&stream_));
    ASSERT_OK(musaDeviceGetDefaultMemPool(&pool_, 0));
  }
  void TearDown() override {
    EXPECT_OK(musaStreamDestroy(stream_));
    EXPECT_OK(musaDeviceReset());
  }
  uint64_t read(musaMemPool_t pool, musaMemPoolAttr attribute) {
    uint64_t value = UINT64_MAX;
    EXPECT_OK(musaMemPoolGetAttribute(pool, attribute, &value));
    return value;
  }
  static musaMemPoolProps props() {
    musaMemPoolProps made{};
    made.allocType = musaMemAllocationTypePinned;
    made.location = {musaMemLocationTypeDevice, 0};
    return made;
  }
  musaStream_t stream_ = nullptr;
  musaMemPool_t pool_ = nullptr;
};

TEST_F(PoolTest, AllocateUseAndFreeInOneStream) {
  void* memory = nullptr;
  unsigned char value = 0;
  ASSERT_OK(musaMallocAsync(&memory, 1000, stream_));
  ASSERT_OK(musaMemsetAsync(memory, 5, 1000, stream_));
  ASSERT_OK(musaMemcpyAsync(&value, static_cast<char*>(memory) + 999, 1, musaMemcpyDeviceToHost,
                            stream_));
  ASSERT_OK(musaFreeAsync(memory, stream_));
  EXPECT_EQ(5, value);
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(memory, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemsetAsync(memory, 5, 1, stream_));
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrUsedMemCurrent));
}

TEST_F(PoolTest, ThresholdDecidesWhatIsKept) {
  void* memory = nullptr;
  void* again = nullptr;
  uint64_t threshold = UINT64_MAX;
  ASSERT_OK(musaMemPoolSetAttribute(pool_, musaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT_EQ(threshold, read(pool_, musaMemPoolAttrReleaseThreshold));
  ASSERT_OK(musaMallocAsync(&memory, 1 << 20, stream_));
  ASSERT_OK(musaFreeAsync(memory, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(uint64_t{1} << 20, read(pool_, musaMemPoolAttrReservedMemCurrent));
  ASSERT_OK(musaMallocAsync(&again, 1 << 20, stream_));
  EXPECT_EQ(memory, again);
  ASSERT_OK(musaFree(again));
  ASSERT_OK(musaMemPoolTrimTo(pool_, 0));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrReservedMemCurrent));
  EXPECT_EQ(uint64_t{1} << 20, read(pool_, musaMemPoolAttrReservedMemHigh));
  uint64_t zero = 0;
  EXPECT_OK(musaMemPoolSetAttribute(pool_, musaMemPoolAttrReservedMemHigh, &zero));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrReservedMemHigh));
  ASSERT_OK(musaMemPoolSetAttribute(pool_, musaMemPoolAttrReleaseThreshold, &zero));
}

TEST_F(PoolTest, MemoryOnItsWayBackCountsAsAvailable) {
  // Together these would not fit, but one after the other they do.
  for (int round = 0; round < 3; ++round) {
    void* memory = nullptr;
    ASSERT_OK(musaMallocAsync(&memory, size_t{150} << 20, stream_));
    ASSERT_OK(musaFreeAsync(memory, stream_));
  }
  void* memory = nullptr;
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMallocAsync(&memory, size_t{300} << 20, stream_));
}

TEST_F(PoolTest, PoolsOfOnesOwn) {
  const auto wanted = props();
  musaMemPool_t pool = nullptr;
  ASSERT_OK(musaMemPoolCreate(&pool, &wanted));
  void* memory = nullptr;
  ASSERT_OK(musaMallocFromPoolAsync(&memory, 4096, pool, stream_));
  EXPECT_EQ(4096u, read(pool, musaMemPoolAttrUsedMemCurrent));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrUsedMemCurrent));

  ASSERT_OK(musaDeviceSetMemPool(0, pool));
  musaMemPool_t current = nullptr;
  EXPECT_OK(musaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(pool, current);
  void* second = nullptr;
  ASSERT_OK(musaMallocAsync(&second, 4096, stream_));
  EXPECT_EQ(8192u, read(pool, musaMemPoolAttrUsedMemCurrent));
  ASSERT_OK(musaFreeAsync(second, stream_));

  // Destroys the pool while a block is in use: the device returns to its own pool, and the block
  // stays usable.
  ASSERT_OK(musaMemPoolDestroy(pool));
  EXPECT_OK(musaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(pool_, current);
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolTrimTo(pool, 0));
  EXPECT_OK(musaMemsetAsync(memory, 1, 4096, stream_));
  EXPECT_OK(musaFreeAsync(memory, stream_));
  EXPECT_OK(musaDeviceSynchronize());
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(musaMemGetInfo(&free, &total));
  EXPECT_EQ(total, free);
}

TEST_F(PoolTest, ResetLeavesTheDefaultPoolAsNew) {
  const auto wanted = props();
  musaMemPool_t pool = nullptr;
  uint64_t threshold = UINT64_MAX;
  void* memory = nullptr;
  ASSERT_OK(musaMemPoolCreate(&pool, &wanted));
  ASSERT_OK(musaDeviceSetMemPool(0, pool));
  ASSERT_OK(musaMemPoolSetAttribute(pool_, musaMemPoolAttrReleaseThreshold, &threshold));
  ASSERT_OK(musaMallocFromPoolAsync(&memory, 4096, pool_, stream_));
  ASSERT_OK(musaFreeAsync(memory, stream_));
  ASSERT_OK(musaDeviceReset());
  musaMemPool_t current = nullptr;
  EXPECT_OK(musaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(pool_, current);
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolTrimTo(pool, 0));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrReleaseThreshold));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrReservedMemCurrent));
  EXPECT_EQ(0u, read(pool_, musaMemPoolAttrReservedMemHigh));
  ASSERT_OK(musaStreamCreate(&stream_));
}

TEST_F(PoolTest, SizeLimit) {
  auto wanted = props();
  wanted.maxSize = 8192;
  musaMemPool_t pool = nullptr;
  ASSERT_OK(musaMemPoolCreate(&pool, &wanted));
  void* memory = nullptr;
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMallocFromPoolAsync(&memory, 8193, pool, stream_));
  EXPECT_OK(musaMallocFromPoolAsync(&memory, 8192, pool, stream_));
  EXPECT_OK(musaFreeAsync(memory, stream_));
  EXPECT_OK(musaMemPoolDestroy(pool));
}

TEST_F(PoolTest, Access) {
  musaMemLocation here = {musaMemLocationTypeDevice, 0};
  musaMemAccessFlags flags = musaMemAccessFlagsProtNone;
  EXPECT_OK(musaMemPoolGetAccess(&flags, pool_, &here));
  EXPECT_EQ(musaMemAccessFlagsProtReadWrite, flags);
  musaMemAccessDesc wanted = {here, musaMemAccessFlagsProtReadWrite};
  EXPECT_OK(musaMemPoolSetAccess(pool_, &wanted, 1));
  wanted.flags = musaMemAccessFlagsProtNone;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolSetAccess(pool_, &wanted, 1));
  wanted = {{musaMemLocationTypeDevice, 6}, musaMemAccessFlagsProtRead};
  EXPECT_ERROR(musaErrorInvalidDevice, musaMemPoolSetAccess(pool_, &wanted, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolSetAccess(pool_, nullptr, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolGetAccess(nullptr, pool_, &here));
}

TEST_F(PoolTest, BadArguments) {
  void* memory = nullptr;
  void* plain = nullptr;
  musaMemPool_t pool = nullptr;
  uint64_t value = 1;
  ASSERT_OK(musaMalloc(&plain, 10));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMallocAsync(&memory, 1, reinterpret_cast<musaStream_t>(&value)));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(static_cast<char*>(plain) + 1, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolDestroy(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolSetAttribute(pool_, musaMemPoolAttrUsedMemHigh, &value));
  auto wanted = props();
  wanted.handleTypes = musaMemHandleTypeWin32;
  EXPECT_ERROR(musaErrorNotSupported, musaMemPoolCreate(&pool, &wanted));
  wanted = props();
  wanted.location.id = 3;
  EXPECT_ERROR(musaErrorInvalidDevice, musaMemPoolCreate(&pool, &wanted));
  EXPECT_OK(musaFree(plain));
}

TEST_F(PoolTest, UseAfterFreeIsAFaultOfTheDevice) {
  musaStream_t other = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  void* memory = nullptr;
  ASSERT_OK(musaMallocAsync(&memory, 4096, stream_));
  Barrier barrier;
  barrier.hold(other);
  ASSERT_OK(musaMemsetAsync(memory, 1, 4096, other));
  ASSERT_OK(musaFreeAsync(memory, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  barrier.open();
  EXPECT_ERROR(musaErrorIllegalAddress, musaStreamSynchronize(other));
  EXPECT_ERROR(musaErrorIllegalAddress, musaDeviceSynchronize());
  // The device accepts no more work until it is reset.
  void* more = nullptr;
  char byte = 0;
  EXPECT_ERROR(musaErrorIllegalAddress, musaMalloc(&more, 10));
  EXPECT_ERROR(musaErrorIllegalAddress, musaMallocAsync(&more, 10, other));
  EXPECT_ERROR(musaErrorIllegalAddress, musaMemcpy(&byte, &byte, 1, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorIllegalAddress, musaMemcpyAsync(&byte, &byte, 1, musaMemcpyDefault, other));
  musaMemPool_t pool = nullptr;
  EXPECT_OK(musaDeviceGetDefaultMemPool(&pool, 0));
  EXPECT_ERROR(musaErrorIllegalAddress, musaMallocFromPoolAsync(&more, 10, pool, other));
  EXPECT_OK(musaDeviceReset());
  EXPECT_OK(musaDeviceSynchronize());
  ASSERT_OK(musaStreamCreate(&stream_));
}

}  // namespace
