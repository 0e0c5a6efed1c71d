#include "tests/host/musart/support.h"

namespace {

void kernel() {}

// No function of the device is known, so every call that is right up to there names that.
class Launch : public ::testing::Test {
 protected:
  void SetUp() override { config_.gridDim = config_.blockDim = dim3(1); }
  void TearDown() override { EXPECT_OK(musaGetLastError()); }

  const void* const kernel_ = reinterpret_cast<const void*>(&kernel);
  musaLaunchConfig_t config_{};
};

TEST_F(Launch, musaLaunchKernel_knows_no_function) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(kernel_, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr));
}

TEST_F(Launch, musaLaunchKernel_looks_at_the_configuration_first) {
  for (const dim3 block : {dim3(0), dim3(1025), dim3(1, 0), dim3(32, 33), dim3(1, 1, 65)}) {
    EXPECT_ERROR(musaErrorInvalidConfiguration,
                 musaLaunchKernel(kernel_, dim3(1), block, nullptr, 0, nullptr));
  }
  musaDeviceProp prop{};
  ASSERT_EQ(musaGetDeviceProperties(&prop, 0), musaSuccess);
  const unsigned int most = INT_MAX;
  EXPECT_EQ(prop.maxGridSize[1], INT_MAX);
  EXPECT_EQ(prop.maxGridSize[2], INT_MAX);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(kernel_, dim3(most, most, most), dim3(1), nullptr, 0, nullptr));
  for (const dim3 grid : {dim3(0), dim3(most + 1), dim3(1, most + 1), dim3(1, 1, most + 1)}) {
    EXPECT_ERROR(musaErrorInvalidConfiguration,
                 musaLaunchKernel(kernel_, grid, dim3(1), nullptr, 0, nullptr));
  }
  EXPECT_ERROR(musaErrorInvalidValue,
               musaLaunchKernel(kernel_, dim3(1), dim3(1), nullptr, 1 << 20, nullptr));
  int nothing = 0;
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaLaunchKernel(kernel_, dim3(1), dim3(1), nullptr, 0,
                                reinterpret_cast<musaStream_t>(&nothing)));
}

TEST_F(Launch, musaLaunchKernelExC_reads_its_configuration) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaLaunchKernelExC(&config_, kernel_, nullptr));
  config_.blockDim = dim3(2000);
  EXPECT_ERROR(musaErrorInvalidConfiguration, musaLaunchKernelExC(&config_, kernel_, nullptr));
  config_.numAttrs = 1;
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchKernelExC(&config_, kernel_, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchKernelExC(nullptr, kernel_, nullptr));
}

TEST_F(Launch, musaLaunchCooperativeKernel_is_no_different) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchCooperativeKernel(kernel_, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidConfiguration,
               musaLaunchCooperativeKernel(kernel_, dim3(1), dim3(0), nullptr, 0, nullptr));
}

TEST_F(Launch, musaFuncGetAttributes_knows_no_function) {
  musaFuncAttributes attributes{};
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetAttributes(&attributes, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetAttributes(nullptr, kernel_));
}

TEST_F(Launch, musaFuncSetAttribute_knows_no_function) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetAttribute(kernel_, musaFuncAttributeMaxDynamicSharedMemorySize, 1));
}

TEST_F(Launch, musaKernelSetAttributeForDevice_knows_no_handle) {
  EXPECT_ERROR(
      musaErrorInvalidResourceHandle,
      musaKernelSetAttributeForDevice(nullptr, musaFuncAttributeMaxDynamicSharedMemorySize, 0, 0));
}

TEST_F(Launch, musaFuncSetCacheConfig_knows_no_function) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetCacheConfig(kernel_, musaFuncCachePreferL1));
}

TEST_F(Launch, musaFuncSetSharedMemConfig_knows_no_function) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetSharedMemConfig(kernel_, musaSharedMemBankSizeDefault));
}

TEST_F(Launch, musaFuncGetName_knows_no_function) {
  const char* name = nullptr;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetName(&name, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetName(nullptr, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetName(&name, nullptr));
}

TEST_F(Launch, musaFuncGetParamInfo_knows_no_function) {
  size_t offset = 0;
  size_t size = 0;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetParamInfo(kernel_, 0, &offset, &size));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetParamInfo(kernel_, 0, nullptr, &size));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetParamInfo(kernel_, 0, &offset, nullptr));
}

TEST_F(Launch, musaGetFuncBySymbol_knows_no_function) {
  musaFunction_t handle = nullptr;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaGetFuncBySymbol(&handle, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetFuncBySymbol(nullptr, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetFuncBySymbol(&handle, nullptr));
}

TEST_F(Launch, musaGetKernel_knows_no_function) {
  musaKernel_t handle = nullptr;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaGetKernel(&handle, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetKernel(nullptr, kernel_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetKernel(&handle, nullptr));
}

TEST_F(Launch, musaOccupancyMaxActiveBlocksPerMultiprocessor_checks_its_arguments) {
  int blocks = -1;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, 32, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, 0, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel_, 32, 0));
}

TEST_F(Launch, musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_checks_its_arguments) {
  const auto ask = [&](int* blocks, int block_size, unsigned int flags) {
    return musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel_, block_size, 0,
                                                                  flags);
  };
  int blocks = -1;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               ask(&blocks, 32, musaOccupancyDisableCachingOverride));
  EXPECT_ERROR(musaErrorInvalidValue, ask(&blocks, 32, 2));
  EXPECT_ERROR(musaErrorInvalidValue, ask(&blocks, 0, 0));
  EXPECT_ERROR(musaErrorInvalidValue, ask(nullptr, 32, 0));
}

TEST_F(Launch, musaOccupancyAvailableDynamicSMemPerBlock_checks_its_arguments) {
  size_t bytes = 0;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel_, 1, 32));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel_, 0, 32));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel_, 1, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyAvailableDynamicSMemPerBlock(nullptr, kernel_, 1, 32));
}

TEST_F(Launch, musaOccupancyMaxPotentialClusterSize_checks_its_arguments) {
  int size = 0;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxPotentialClusterSize(&size, kernel_, &config_));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxPotentialClusterSize(&size, kernel_, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxPotentialClusterSize(nullptr, kernel_, &config_));
}

TEST_F(Launch, musaOccupancyMaxActiveClusters_checks_its_arguments) {
  int clusters = 0;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxActiveClusters(&clusters, kernel_, &config_));
  EXPECT_ERROR(musaErrorInvalidValue, musaOccupancyMaxActiveClusters(nullptr, kernel_, &config_));
  config_.numAttrs = 1;
  EXPECT_ERROR(musaErrorInvalidValue, musaOccupancyMaxActiveClusters(&clusters, kernel_, &config_));
}

TEST_F(Launch, musaLaunchCooperativeKernelMultiDevice_checks_every_launch) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  musaLaunchParams launch{};
  launch.func = const_cast<void*>(kernel_);
  launch.gridDim = launch.blockDim = dim3(1);
  launch.stream = stream;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchCooperativeKernelMultiDevice(nullptr, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchCooperativeKernelMultiDevice(&launch, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchCooperativeKernelMultiDevice(&launch, 1, 4));
  EXPECT_ERROR(musaErrorInvalidDevice, musaLaunchCooperativeKernelMultiDevice(&launch, 2));
  launch.blockDim = dim3(0);
  EXPECT_ERROR(musaErrorInvalidConfiguration, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  launch.blockDim = dim3(1);
  launch.stream = nullptr;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaLaunchCooperativeKernelMultiDevice(&launch, 1));
  EXPECT_OK(musaStreamDestroy(stream));
}

}  // namespace
