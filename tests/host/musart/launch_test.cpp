#include "tests/host/musart/support.h"

extern "C" {
void** __musaRegisterFatBinary(void* fatBinary);
void __musaRegisterFunction(void** handle, const char* hostFunction, char* deviceFunction,
                            const char* deviceName, int threadLimit, uint3* threadIds,
                            uint3* blockIds, dim3* blockDim, dim3* gridDim, int* warpSize);
}

namespace {

void kernel() {}
void limited() {}
void stranger() {}
template <typename Function>
const void* address(Function* function) {
  return reinterpret_cast<const void*>(function);
}

class Launch : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    int image = 0;
    void** handle = __musaRegisterFatBinary(&image);
    ASSERT_NE(nullptr, handle);
    char name[] = "kernel";
    char other[] = "limited";
    __musaRegisterFunction(handle, static_cast<const char*>(kKernel), name, name, -1, nullptr,
                           nullptr, nullptr, nullptr, nullptr);
    __musaRegisterFunction(handle, static_cast<const char*>(kLimited), other, other, 128, nullptr,
                           nullptr, nullptr, nullptr, nullptr);
  }
  void TearDown() override { EXPECT_OK(musaGetLastError()); }

  static const void* const kKernel;
  static const void* const kLimited;
  static const void* const kStranger;
};
const void* const Launch::kKernel = address(&kernel);
const void* const Launch::kLimited = address(&limited);
const void* const Launch::kStranger = address(&stranger);

TEST_F(Launch, __musaRegisterFatBinary_gives_the_same_handle_to_everyone) {
  int image = 0;
  void** handle = __musaRegisterFatBinary(&image);
  ASSERT_NE(nullptr, handle);
  EXPECT_EQ(handle, __musaRegisterFatBinary(nullptr));
}

TEST_F(Launch, __musaRegisterFunction_makes_a_function_known) {
  const char* name = nullptr;
  EXPECT_OK(musaFuncGetName(&name, kKernel));
  EXPECT_STREQ("kernel", name);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetName(&name, kStranger));
  // Registering null is harmless, and registering again changes nothing.
  __musaRegisterFunction(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  char again[] = "again";
  __musaRegisterFunction(nullptr, static_cast<const char*>(kKernel), again, again, 0, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  EXPECT_OK(musaFuncGetName(&name, kKernel));
  EXPECT_STREQ("kernel", name);
}

TEST_F(Launch, musaLaunchKernel_has_no_image_to_run) {
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaLaunchKernel(kKernel, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(kStranger, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr));
}

TEST_F(Launch, musaLaunchKernel_looks_at_the_configuration_first) {
  for (const dim3 block : {dim3(0), dim3(1025), dim3(1, 0), dim3(32, 33), dim3(1, 1, 65)}) {
    EXPECT_ERROR(musaErrorInvalidConfiguration,
                 musaLaunchKernel(kKernel, dim3(1), block, nullptr, 0, nullptr));
  }
  for (const dim3 grid : {dim3(0), dim3(1, 65536), dim3(1, 1, 65536)}) {
    EXPECT_ERROR(musaErrorInvalidConfiguration,
                 musaLaunchKernel(kKernel, grid, dim3(1), nullptr, 0, nullptr));
  }
  EXPECT_ERROR(musaErrorInvalidValue,
               musaLaunchKernel(kKernel, dim3(1), dim3(1), nullptr, 1 << 20, nullptr));
  int nothing = 0;
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaLaunchKernel(kKernel, dim3(1), dim3(1), nullptr, 0,
                                reinterpret_cast<musaStream_t>(&nothing)));
}

TEST_F(Launch, musaLaunchKernelExC_reads_its_configuration) {
  musaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaLaunchKernelExC(&config, kKernel, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaLaunchKernelExC(&config, kStranger, nullptr));
  config.blockDim = dim3(2000);
  EXPECT_ERROR(musaErrorInvalidConfiguration, musaLaunchKernelExC(&config, kKernel, nullptr));
  config.numAttrs = 1;
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchKernelExC(&config, kKernel, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchKernelExC(nullptr, kKernel, nullptr));
}

TEST_F(Launch, musaLaunchCooperativeKernel_is_no_different) {
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaLaunchCooperativeKernel(kKernel, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchCooperativeKernel(kStranger, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidConfiguration,
               musaLaunchCooperativeKernel(kKernel, dim3(1), dim3(0), nullptr, 0, nullptr));
}

TEST_F(Launch, musaFuncGetAttributes_knows_the_thread_limit) {
  musaFuncAttributes attributes{};
  ASSERT_OK(musaFuncGetAttributes(&attributes, kKernel));
  EXPECT_EQ(1024, attributes.maxThreadsPerBlock);
  EXPECT_EQ(-1, attributes.preferredShmemCarveout);
  EXPECT_EQ(48 << 10, attributes.maxDynamicSharedSizeBytes);
  ASSERT_OK(musaFuncGetAttributes(&attributes, kLimited));
  EXPECT_EQ(128, attributes.maxThreadsPerBlock);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetAttributes(&attributes, kStranger));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetAttributes(nullptr, kKernel));
}

TEST_F(Launch, musaFuncSetAttribute_is_checked_and_kept) {
  musaFuncAttributes attributes{};
  ASSERT_OK(musaFuncSetAttribute(kLimited, musaFuncAttributeMaxDynamicSharedMemorySize, 1000));
  ASSERT_OK(musaFuncSetAttribute(kLimited, musaFuncAttributePreferredSharedMemoryCarveout, 50));
  ASSERT_OK(musaFuncGetAttributes(&attributes, kLimited));
  EXPECT_EQ(1000, attributes.maxDynamicSharedSizeBytes);
  EXPECT_EQ(50, attributes.preferredShmemCarveout);
  ASSERT_OK(musaFuncSetAttribute(kLimited, musaFuncAttributeMaxDynamicSharedMemorySize, 0));
  ASSERT_OK(musaFuncSetAttribute(kLimited, musaFuncAttributePreferredSharedMemoryCarveout, -1));
  EXPECT_ERROR(
      musaErrorInvalidValue,
      musaFuncSetAttribute(kLimited, musaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaFuncSetAttribute(kLimited, musaFuncAttributePreferredSharedMemoryCarveout, 101));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaFuncSetAttribute(kLimited, musaFuncAttributeClusterDimMustBeSet, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaFuncSetAttribute(kLimited, static_cast<musaFuncAttribute>(1), 1));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetAttribute(kStranger, musaFuncAttributeMaxDynamicSharedMemorySize, 1));
}

TEST_F(Launch, musaKernelSetAttributeForDevice_sets_it_on_that_device) {
  musaKernel_t handle = nullptr;
  ASSERT_OK(musaGetKernel(&handle, kLimited));
  ASSERT_OK(
      musaKernelSetAttributeForDevice(handle, musaFuncAttributeMaxDynamicSharedMemorySize, 500, 0));
  musaFuncAttributes attributes{};
  ASSERT_OK(musaFuncGetAttributes(&attributes, kLimited));
  EXPECT_EQ(500, attributes.maxDynamicSharedSizeBytes);
  EXPECT_OK(
      musaKernelSetAttributeForDevice(handle, musaFuncAttributeMaxDynamicSharedMemorySize, 0, 0));
  EXPECT_ERROR(
      musaErrorInvalidDevice,
      musaKernelSetAttributeForDevice(handle, musaFuncAttributeMaxDynamicSharedMemorySize, 0, 1));
  EXPECT_ERROR(
      musaErrorInvalidResourceHandle,
      musaKernelSetAttributeForDevice(nullptr, musaFuncAttributeMaxDynamicSharedMemorySize, 0, 0));
}

TEST_F(Launch, musaFuncSetCacheConfig_is_checked) {
  EXPECT_OK(musaFuncSetCacheConfig(kKernel, musaFuncCachePreferL1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaFuncSetCacheConfig(kKernel, static_cast<musaFuncCache>(4)));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetCacheConfig(kStranger, musaFuncCachePreferL1));
}

TEST_F(Launch, musaFuncSetSharedMemConfig_is_checked) {
  EXPECT_OK(musaFuncSetSharedMemConfig(kKernel, musaSharedMemBankSizeEightByte));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaFuncSetSharedMemConfig(kKernel, static_cast<musaSharedMemConfig>(3)));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetSharedMemConfig(kStranger, musaSharedMemBankSizeDefault));
}

TEST_F(Launch, musaFuncGetName_also_takes_a_handle) {
  musaKernel_t handle = nullptr;
  ASSERT_OK(musaGetKernel(&handle, kKernel));
  const char* name = nullptr;
  ASSERT_OK(musaFuncGetName(&name, handle));
  EXPECT_STREQ("kernel", name);
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetName(nullptr, kKernel));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetName(&name, nullptr));
}

TEST_F(Launch, musaFuncGetParamInfo_would_need_the_image) {
  size_t offset = 0;
  size_t size = 0;
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaFuncGetParamInfo(kKernel, 0, &offset, &size));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetParamInfo(kKernel, 0, nullptr, &size));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetParamInfo(kStranger, 0, &offset, &size));
}

TEST_F(Launch, musaGetFuncBySymbol_gives_a_handle_that_can_be_launched) {
  musaFunction_t handle = nullptr;
  ASSERT_OK(musaGetFuncBySymbol(&handle, kKernel));
  ASSERT_NE(nullptr, handle);
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaLaunchKernel(handle, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetFuncBySymbol(nullptr, kKernel));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetFuncBySymbol(&handle, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaGetFuncBySymbol(&handle, kStranger));
}

TEST_F(Launch, musaGetKernel_gives_the_same_handle_every_time) {
  musaKernel_t handle = nullptr;
  musaKernel_t again = nullptr;
  ASSERT_OK(musaGetKernel(&handle, kKernel));
  ASSERT_OK(musaGetKernel(&again, kKernel));
  ASSERT_NE(nullptr, handle);
  EXPECT_EQ(handle, again);
  EXPECT_ERROR(musaErrorInvalidValue, musaGetKernel(nullptr, kKernel));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaGetKernel(&handle, kStranger));
}

TEST_F(Launch, musaOccupancyMaxActiveBlocksPerMultiprocessor_counts_threads_and_shared_memory) {
  int blocks = -1;
  ASSERT_OK(musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kKernel, 32, 0));
  EXPECT_EQ(1, blocks);
  ASSERT_OK(musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kLimited, 129, 0));
  EXPECT_EQ(0, blocks);
  blocks = -1;
  ASSERT_OK(musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kKernel, 32, 1 << 20));
  EXPECT_EQ(0, blocks);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kKernel, 0, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kKernel, 32, 0));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kStranger, 32, 0));
}

TEST_F(Launch, musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_checks_the_flags) {
  int blocks = -1;
  ASSERT_OK(musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &blocks, kKernel, 1024, 0, musaOccupancyDisableCachingOverride));
  EXPECT_EQ(1, blocks);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kKernel, 32, 0, 2));
  EXPECT_ERROR(
      musaErrorInvalidDeviceFunction,
      musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kStranger, 32, 0, 0));
}

TEST_F(Launch, musaOccupancyAvailableDynamicSMemPerBlock_shares_the_memory_out) {
  size_t bytes = 0;
  ASSERT_OK(musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kKernel, 1, 32));
  EXPECT_EQ(size_t{48} << 10, bytes);
  // More blocks than fit on a multiprocessor.
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kKernel, 2, 1024));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kKernel, 0, 32));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kLimited, 1, 256));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kStranger, 1, 32));
}

TEST_F(Launch, musaOccupancyMaxPotentialClusterSize_is_one_block) {
  musaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  int size = 0;
  ASSERT_OK(musaOccupancyMaxPotentialClusterSize(&size, kKernel, &config));
  EXPECT_EQ(1, size);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxPotentialClusterSize(&size, kKernel, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxPotentialClusterSize(&size, kStranger, &config));
  config.blockDim = dim3(0);
  EXPECT_ERROR(musaErrorInvalidConfiguration,
               musaOccupancyMaxPotentialClusterSize(&size, kKernel, &config));
}

TEST_F(Launch, musaOccupancyMaxActiveClusters_counts_over_all_multiprocessors) {
  musaDeviceProp prop{};
  ASSERT_OK(musaGetDeviceProperties(&prop, 0));
  musaLaunchAttribute attribute{};
  attribute.id = musaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {1, 1, 1};
  musaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  ASSERT_OK(musaOccupancyMaxActiveClusters(&clusters, kKernel, &config));
  EXPECT_EQ(prop.multiProcessorCount, clusters);
  attribute.val.clusterDim = {2, 1, 1};
  EXPECT_ERROR(musaErrorInvalidClusterSize,
               musaOccupancyMaxActiveClusters(&clusters, kKernel, &config));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxActiveClusters(&clusters, kStranger, &config));
  EXPECT_ERROR(musaErrorInvalidValue, musaOccupancyMaxActiveClusters(nullptr, kKernel, &config));
}

TEST_F(Launch, musaLaunchCooperativeKernelMultiDevice_checks_every_launch) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  musaLaunchParams launch{};
  launch.func = const_cast<void*>(kKernel);
  launch.gridDim = launch.blockDim = dim3(1);
  launch.stream = stream;
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchCooperativeKernelMultiDevice(nullptr, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchCooperativeKernelMultiDevice(&launch, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchCooperativeKernelMultiDevice(&launch, 1, 4));
  EXPECT_ERROR(musaErrorInvalidDevice, musaLaunchCooperativeKernelMultiDevice(&launch, 2));
  launch.blockDim = dim3(0);
  EXPECT_ERROR(musaErrorInvalidConfiguration, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  launch.blockDim = dim3(1);
  launch.func = const_cast<void*>(kStranger);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  launch.stream = nullptr;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  EXPECT_OK(musaStreamDestroy(stream));
}

}  // namespace
