// Settings of a device; synchronising and resetting it.
#include "tests/conformance/support.h"

namespace {

TEST(DeviceSettings, cudaDeviceSetLimit_is_read_back) {
  size_t value = 0;
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(4096u, value);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  EXPECT_ERROR(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1));
}

// The limits that are sizes of memory are refused as soon as the device cannot have that much.
TEST(DeviceSettings, cudaDeviceSetLimit_refuses_what_no_device_has) {
  size_t memory = 0, left = 0;
  ASSERT_OK(cudaMemGetInfo(&left, &memory));
  const struct {
    cudaLimit limit;
    size_t most;
    cudaError_t error;
  } limits[] = {{cudaLimitStackSize, 512 << 10, cudaErrorInvalidValue},
                {cudaLimitPrintfFifoSize, memory, cudaErrorMemoryAllocation},
                {cudaLimitMallocHeapSize, memory, cudaErrorMemoryAllocation},
                {cudaLimitDevRuntimeSyncDepth, 24, cudaErrorInvalidValue},
                {cudaLimitDevRuntimePendingLaunchCount, memory, cudaErrorMemoryAllocation},
                {cudaLimitMaxL2FetchGranularity, 128, cudaErrorInvalidValue}};
  for (const auto& [limit, most, error] : limits) {
    SCOPED_TRACE(static_cast<int>(limit));
    size_t before = 0, value = 0;
    ASSERT_OK(cudaDeviceGetLimit(&before, limit));
    for (const size_t wrong : {most + 1, most * 16, ~size_t{0} - 1, ~size_t{0}}) {
      EXPECT_ERROR(error, cudaDeviceSetLimit(limit, wrong));
    }
    EXPECT_OK(cudaDeviceGetLimit(&value, limit));
    EXPECT_EQ(before, value);
    EXPECT_OK(cudaDeviceSetLimit(limit, most));
    EXPECT_OK(cudaDeviceGetLimit(&value, limit));
    EXPECT_EQ(most, value);
    EXPECT_OK(cudaDeviceSetLimit(limit, before));
  }
}

TEST(DeviceSettings, cudaDeviceSetLimit_of_the_persisting_cache_is_what_the_device_has) {
  int most = -1;
  ASSERT_OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
  size_t value = 77;
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size_t{1} << 40));
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize));
  EXPECT_EQ(static_cast<size_t>(most), value);
  EXPECT_OK(cudaCtxResetPersistingL2Cache());
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
}

TEST(DeviceSettings, cudaDeviceGetLimit_has_a_value_for_every_limit) {
  size_t value = 0;
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_GT(value, 0u);
  value = 0;
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  EXPECT_GT(value, 0u);
  EXPECT_ERROR(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, static_cast<cudaLimit>(77)));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
}

TEST(DeviceSettings, cudaDeviceSetCacheConfig_refuses_what_there_is_not) {
  EXPECT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  EXPECT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)));
}

TEST(DeviceSettings, cudaDeviceGetCacheConfig_writes_one_of_the_list) {
  auto config = static_cast<cudaFuncCache>(77);
  EXPECT_OK(cudaDeviceGetCacheConfig(&config));
  EXPECT_LE(static_cast<int>(config), static_cast<int>(cudaFuncCachePreferEqual));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(nullptr));
}

TEST(DeviceSettings, cudaDeviceSetSharedMemConfig_refuses_what_there_is_not) {
  EXPECT_OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeDefault));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(9)));
}

// It tells a size, never "default", also where setting it does nothing.
TEST(DeviceSettings, cudaDeviceGetSharedMemConfig_tells_a_size) {
  for (const auto wanted : {cudaSharedMemBankSizeEightByte, cudaSharedMemBankSizeDefault}) {
    EXPECT_OK(cudaDeviceSetSharedMemConfig(wanted));
    auto config = static_cast<cudaSharedMemConfig>(77);
    EXPECT_OK(cudaDeviceGetSharedMemConfig(&config));
    EXPECT_TRUE(config == cudaSharedMemBankSizeFourByte || config == cudaSharedMemBankSizeEightByte)
        << config;
  }
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetSharedMemConfig(nullptr));
}

TEST(DeviceSettings, cudaSetDeviceFlags_are_read_back) {
  unsigned int flags = 0;
  EXPECT_OK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  EXPECT_OK(cudaGetDeviceFlags(&flags));
  EXPECT_EQ(cudaDeviceScheduleSpin, flags & cudaDeviceScheduleMask);
  EXPECT_OK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  EXPECT_OK(cudaGetDeviceFlags(&flags));
  EXPECT_EQ(cudaDeviceScheduleYield, flags & cudaDeviceScheduleMask);
  EXPECT_OK(cudaSetDeviceFlags(0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
}

TEST(DeviceSettings, cudaGetDeviceFlags_refuses_null) {
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDeviceFlags(nullptr));
}

TEST(DeviceSettings, cudaDeviceGetStreamPriorityRange_greater_is_less) {
  int least = -9;
  int greatest = 9;
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(0, least);
  EXPECT_LE(greatest, least);
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
}

TEST(DeviceSettings, cudaDeviceSynchronize_waits_for_every_stream_of_the_device) {
  Stream first(cudaStreamNonBlocking);
  Stream second(cudaStreamNonBlocking);
  constexpr size_t kLarge = size_t{32} << 20;
  const Buffer memory(kLarge);
  Journal journal;
  for (int i = 0; i < 6; ++i) EXPECT_OK(cudaMemsetAsync(memory, i, kLarge, first));
  journal.write(first, 'a');
  journal.write(second, 'b');
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(2u, journal.text().size());
}

TEST(DeviceSettings, cudaDeviceReset_takes_back_what_the_device_gave) {
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 1 << 20));
  ASSERT_OK(cudaStreamCreate(&stream));
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  ASSERT_OK(cudaDeviceReset());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(memory));
  size_t value = 0;
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(1024u, value);
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(cudaMemGetInfo(&free, &total));
  EXPECT_EQ(total, free);
}

#if CUDA_MAJOR < 13
// The names that CUDA 4 gave up for cudaDevice*, and that CUDA 13 no longer has.
TEST(DeviceSettings, cudaThreadSynchronize_waits_for_every_stream_of_the_device) {
  Stream stream(cudaStreamNonBlocking);
  constexpr size_t kLarge = size_t{32} << 20;
  const Buffer memory(kLarge);
  Journal journal;
  for (int i = 0; i < 6; ++i) EXPECT_OK(cudaMemsetAsync(memory, i, kLarge, stream));
  journal.write(stream, 'a');
  EXPECT_OK(cudaThreadSynchronize());
  EXPECT_EQ("a", journal.text());
}

TEST(DeviceSettings, cudaThreadSetLimit_is_that_of_the_device) {
  size_t value = 0;
  EXPECT_OK(cudaThreadSetLimit(cudaLimitStackSize, 4096));
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(4096u, value);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  EXPECT_ERROR(cudaErrorUnsupportedLimit, cudaThreadSetLimit(static_cast<cudaLimit>(77), 1));
}

TEST(DeviceSettings, cudaThreadGetLimit_is_that_of_the_device) {
  size_t value = 0;
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  EXPECT_OK(cudaThreadGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(2048u, value);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaThreadGetLimit(nullptr, cudaLimitStackSize));
}

TEST(DeviceSettings, cudaThreadSetCacheConfig_refuses_what_there_is_not) {
  EXPECT_OK(cudaThreadSetCacheConfig(cudaFuncCachePreferNone));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaThreadSetCacheConfig(static_cast<cudaFuncCache>(9)));
}

TEST(DeviceSettings, cudaThreadGetCacheConfig_tells_that_of_the_device) {
  auto expected = static_cast<cudaFuncCache>(77);
  auto config = static_cast<cudaFuncCache>(78);
  EXPECT_OK(cudaDeviceGetCacheConfig(&expected));
  EXPECT_OK(cudaThreadGetCacheConfig(&config));
  EXPECT_EQ(expected, config);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaThreadGetCacheConfig(nullptr));
}

TEST(DeviceSettings, cudaThreadExit_resets_the_device) {
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 1 << 20));
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  ASSERT_OK(cudaThreadExit());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(memory));
  size_t value = 0;
  EXPECT_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(1024u, value);
}
#endif

}  // namespace
