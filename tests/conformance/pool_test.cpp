// Stream-ordered memory.
#include <cstdint>

#include "tests/conformance/support.h"

namespace {

class Pools : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaDeviceGetDefaultMemPool(&pool_, 0));
    cudaMemPoolProps wanted = props();
    ASSERT_OK(cudaMemPoolCreate(&own_, &wanted));
  }
  void TearDown() override {
    EXPECT_OK(cudaMemPoolDestroy(own_));
    EXPECT_OK(cudaDeviceSynchronize());
  }
  static cudaMemPoolProps props() {
    cudaMemPoolProps made{};
    made.allocType = cudaMemAllocationTypePinned;
    made.location = location(0);
    return made;
  }
  static uint64_t told(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    uint64_t value = UINT64_MAX;
    EXPECT_OK(cudaMemPoolGetAttribute(pool, attribute, &value));
    return value;
  }
  static void keep(cudaMemPool_t pool, uint64_t threshold) {
    EXPECT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  }
  Stream stream_;
  cudaMemPool_t pool_ = nullptr;
  cudaMemPool_t own_ = nullptr;
};

TEST_F(Pools, cudaMallocAsync_gives_memory_for_what_comes_after_in_the_stream) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, 1000, stream_));
  ASSERT_OK(cudaMemsetAsync(memory, 5, 1000, stream_));
  ASSERT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(bytes_of(1000, 5), contents(memory, 1000));
  EXPECT_OK(cudaFreeAsync(memory, stream_));
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMallocAsync(&memory, size_t{1} << 40, stream_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocAsync(nullptr, 1, stream_));
}

TEST_F(Pools, cudaFreeAsync_waits_for_its_turn) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, 4096, stream_));
  ASSERT_OK(cudaStreamSynchronize(stream_));
  const uint64_t used = told(pool_, cudaMemPoolAttrUsedMemCurrent);
  Gate gate;
  gate.hold(stream_);
  ASSERT_OK(cudaFreeAsync(memory, stream_));
  EXPECT_EQ(used, told(pool_, cudaMemPoolAttrUsedMemCurrent));
  gate.open();
  ASSERT_OK(cudaStreamSynchronize(stream_));
  EXPECT_LT(told(pool_, cudaMemPoolAttrUsedMemCurrent), used);
}

TEST_F(Pools, cudaFreeAsync_refuses_what_is_not_an_allocation) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeAsync(not_an_object, stream_));
  const Pinned pinned(64);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeAsync(pinned, stream_));
  EXPECT_OK(cudaFreeAsync(nullptr, stream_));
}

TEST_F(Pools, cudaFreeAsync_frees_what_cudaMalloc_gave) {
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 4096));
  EXPECT_OK(cudaFreeAsync(memory, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeAsync(memory, stream_));
}

TEST_F(Pools, cudaMallocFromPoolAsync_takes_it_from_that_pool) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocFromPoolAsync(&memory, 4096, own_, stream_));
  ASSERT_OK(cudaMemsetAsync(memory, 5, 4096, stream_));
  ASSERT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(bytes_of(4096, 5), contents(memory, 4096));
  EXPECT_GE(told(own_, cudaMemPoolAttrUsedMemCurrent), 4096u);
  EXPECT_OK(cudaFreeAsync(memory, stream_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&memory, 1, nullptr, stream_));
}

TEST_F(Pools, cudaDeviceGetDefaultMemPool_is_one_per_device) {
  cudaMemPool_t other = nullptr;
  EXPECT_NE(nullptr, pool_);
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&other, 1));
  EXPECT_NE(nullptr, other);
  EXPECT_NE(pool_, other);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&other, 9));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetDefaultMemPool(nullptr, 0));
}

TEST_F(Pools, cudaDeviceSetMemPool_decides_where_memory_comes_from) {
  EXPECT_OK(cudaDeviceSetMemPool(0, own_));
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, 4096, stream_));
  EXPECT_GE(told(own_, cudaMemPoolAttrUsedMemCurrent), 4096u);
  EXPECT_OK(cudaFreeAsync(memory, stream_));
  EXPECT_OK(cudaDeviceSetMemPool(0, pool_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, nullptr));
}

TEST_F(Pools, cudaDeviceGetMemPool_is_the_one_that_was_set) {
  cudaMemPool_t current = nullptr;
  EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(pool_, current);
  EXPECT_OK(cudaDeviceSetMemPool(0, own_));
  EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(own_, current);
  EXPECT_OK(cudaDeviceSetMemPool(0, pool_));
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceGetMemPool(&current, 9));
}

TEST_F(Pools, cudaMemPoolCreate_refuses_bad_properties) {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps wanted = props();
  ASSERT_NE(nullptr, own_);
  EXPECT_NE(pool_, own_);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolCreate(nullptr, &wanted));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, nullptr));
  wanted.allocType = cudaMemAllocationTypeInvalid;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &wanted));
}

TEST_F(Pools, cudaMemPoolDestroy_only_pools_of_ones_own) {
  cudaMemPoolProps wanted = props();
  cudaMemPool_t pool = nullptr;
  ASSERT_OK(cudaMemPoolCreate(&pool, &wanted));
  EXPECT_OK(cudaMemPoolDestroy(pool));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolDestroy(pool_));
}

TEST_F(Pools, cudaMemPoolTrimTo_releases_what_is_not_used) {
  keep(own_, UINT64_MAX);
  void* memory = nullptr;
  ASSERT_OK(cudaMallocFromPoolAsync(&memory, 1 << 20, own_, stream_));
  ASSERT_OK(cudaFreeAsync(memory, stream_));
  ASSERT_OK(cudaStreamSynchronize(stream_));
  EXPECT_GE(told(own_, cudaMemPoolAttrReservedMemCurrent), uint64_t{1} << 20);
  EXPECT_OK(cudaMemPoolTrimTo(own_, 0));
  EXPECT_EQ(0u, told(own_, cudaMemPoolAttrReservedMemCurrent));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolTrimTo(nullptr, 0));
}

TEST_F(Pools, cudaMemPoolSetAttribute_is_read_back) {
  keep(own_, 12345);
  EXPECT_EQ(12345u, told(own_, cudaMemPoolAttrReleaseThreshold));
  int off = 0;
  EXPECT_OK(cudaMemPoolSetAttribute(own_, cudaMemPoolReuseAllowOpportunistic, &off));
  int value = 9;
  EXPECT_OK(cudaMemPoolGetAttribute(own_, cudaMemPoolReuseAllowOpportunistic, &value));
  EXPECT_EQ(0, value);
  uint64_t used = 5;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemPoolSetAttribute(own_, cudaMemPoolAttrUsedMemCurrent, &used));
}

TEST_F(Pools, cudaMemPoolGetAttribute_refuses_bad_arguments) {
  uint64_t value = 0;
  EXPECT_EQ(0u, told(own_, cudaMemPoolAttrUsedMemCurrent));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemPoolGetAttribute(own_, static_cast<cudaMemPoolAttr>(99), &value));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemPoolGetAttribute(own_, cudaMemPoolAttrUsedMemHigh, nullptr));
}

TEST_F(Pools, cudaMemPoolGetAccess_of_its_own_device) {
  auto flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation here = location(0);
  EXPECT_OK(cudaMemPoolGetAccess(&flags, own_, &here));
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, flags);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolGetAccess(nullptr, own_, &here));
}

TEST_F(Pools, cudaMemPoolSetAccess_lets_another_device_in) {
  cudaMemAccessDesc wanted{};
  wanted.location = location(1);
  wanted.flags = cudaMemAccessFlagsProtReadWrite;
  EXPECT_OK(cudaMemPoolSetAccess(own_, &wanted, 1));
  auto flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation there = location(1);
  EXPECT_OK(cudaMemPoolGetAccess(&flags, own_, &there));
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, flags);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolSetAccess(own_, nullptr, 1));
}

}  // namespace
